"""What a release lost and what it keeps: plain functions of (original, release, labels)."""

from covey.measures.anonymity import combination_labels, combination_sizes
from covey.measures.homogeneity import Homogeneity, homogeneity
from covey.measures.prediction import Predictability, Prediction, predictability, predictability_of
from covey.measures.summary import Measures
from covey.measures.utility import ColumnLoss, Loss, column_loss, joint_loss

__all__ = [
    "ColumnLoss",
    "Homogeneity",
    "Loss",
    "Measures",
    "Predictability",
    "Prediction",
    "column_loss",
    "combination_labels",
    "combination_sizes",
    "homogeneity",
    "joint_loss",
    "predictability",
    "predictability_of",
]
