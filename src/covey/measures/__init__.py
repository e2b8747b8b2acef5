"""What a release lost and what it keeps: plain functions of (original, release, labels)."""

from covey.measures.anonymity import combination_sizes, combinations
from covey.measures.average import average_diversity_of
from covey.measures.prediction import Predictability, Prediction, predictability, predictability_of
from covey.measures.summary import Measures
from covey.measures.utility import ColumnLoss, Loss, column_loss, joint_loss

__all__ = [
    "ColumnLoss",
    "Loss",
    "Measures",
    "Predictability",
    "Prediction",
    "average_diversity_of",
    "column_loss",
    "combination_sizes",
    "combinations",
    "joint_loss",
    "predictability",
    "predictability_of",
]
