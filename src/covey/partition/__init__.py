"""Partitions into cells of at least k records: clusterers in the manner of scikit-learn.

An array, or a `Matrix` of mixed kinds, goes in; `labels_`, `centroids_`, `sizes_` and `sse_` come out. There is
no `transform` and no `predict`: to give new or the same records to the nearest centroid breaks k.
"""

from covey.matrix import Matrix
from covey.partition.blocks import Blocks
from covey.partition.individual_ranking import IndividualRanking
from covey.partition.md import MD
from covey.partition.mdav import MDAV
from covey.partition.mst import MST
from covey.partition.mu_approx import MuApprox
from covey.partition.pcl import PCL
from covey.partition.quantizer import Quantizer
from covey.partition.refine import Refine
from covey.partition.tfrp import TFRP
from covey.partition.univariate import Univariate
from covey.partition.vmdav import VMDAV

__all__ = [
    "MD",
    "MDAV",
    "MST",
    "PCL",
    "TFRP",
    "VMDAV",
    "Blocks",
    "IndividualRanking",
    "Matrix",
    "MuApprox",
    "Quantizer",
    "Refine",
    "Univariate",
]
