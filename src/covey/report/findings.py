"""What stands out: the few things that somebody who reads no further should know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.report.loss import was_and_is
from covey.report.page import Html, count, element, join, name, names, percent
from covey.report.risk import diversity_words

if TYPE_CHECKING:
    from covey.report.evidence import Evidence

MUCH = 0.5  # of a column's variance
CHANGED = 0.1  # of a correlation
MOST = 6


def findings(evidence: Evidence) -> list[Html]:
    """What is worth a look, the gravest first."""
    found = [
        *_not_jointly(evidence),
        *_homogeneous(evidence),
        *_linked(evidence),
        *_lost(evidence),
        *_correlation(evidence),
        *_withheld(evidence),
        *_order(evidence),
    ]
    return found[:MOST]


def _not_jointly(evidence: Evidence) -> list[Html]:
    if evidence.jointly:
        return []
    alone = int((evidence.sizes == 1).sum())
    return [
        join(
            [
                element("b", "Jointly the table is not k-anonymous: "),
                (
                    f"{count(alone, 'combination')} of quasi-identifiers {'belongs' if alone == 1 else 'belong'} to a"
                    " single record."
                ),
            ]
        )
    ]


def _homogeneous(evidence: Evidence) -> list[Html]:
    found = [diversity for diversity in evidence.risks.diversities if diversity.homogeneous_cells]
    found.sort(key=lambda diversity: -diversity.homogeneous_records)
    return [diversity_words(diversity) for diversity in found[:2]]


def _linked(evidence: Evidence) -> list[Html]:
    found = evidence.risks.linkage
    if found is None or not found.share:
        return []
    return [
        join(
            [
                element("b", f"{percent(found.share)} of the records"),
                (
                    " would be taken back to their original by somebody who knows all quasi-identifiers exactly and"
                    " takes the nearest."
                ),
            ]
        )
    ]


def _lost(evidence: Evidence) -> list[Html]:
    heavy = [loss for loss in evidence.losses if float(loss["distortion"]) > MUCH]
    if heavy:
        listed = names((loss["name"] for loss in heavy), 3)
        verb = "has" if len(heavy) == 1 else "have"
        return [join([element("b", listed), f" {verb} lost more than half of the variance: be careful with analyses of",
                      " it." if len(heavy) == 1 else " them."])]  # fmt: skip
    worst = evidence.losses[0]
    if not worst["distortion"]:
        return []
    lost = percent(float(worst["distortion"]))
    return [join([element("b", name(worst["name"])), f" lost most of all columns: {lost} of its variance."])]


def _correlation(evidence: Evidence) -> list[Html]:
    greatest = None if evidence.correlations is None else evidence.correlations.greatest
    if greatest is None or abs(greatest[3] - greatest[2]) < CHANGED:
        return []
    first, second, before, after = greatest
    return [
        join(
            ["The correlation of ", element("b", names([first, second])), " changed: ", was_and_is(before, after), "."]
        )
    ]


def _withheld(evidence: Evidence) -> list[Html]:
    withheld, kept = int(evidence.measures["withheld"]), int(evidence.measures["records"])
    if not withheld:
        return []
    share = percent(withheld / (withheld + kept))
    return [
        join(
            [
                element("b", count(withheld, "record")),
                f" ({share}) of the input {'is' if withheld == 1 else 'are'} not in the release.",
            ]
        )
    ]


def _order(evidence: Evidence) -> list[Html]:
    if evidence.recipe.get("shuffled"):
        return []
    return [join([element("b", "The records are in the order of the input"), ", which may tell who they are."])]
