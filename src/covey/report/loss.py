"""What was lost: column by column, in pictures, and in how columns depend on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.measures.anonymity import combination_labels
from covey.report.evidence import PICTURED
from covey.report.page import Html, count, details, element, figure, join, name, names, paragraph, percent, table, text
from covey.report.plots import Curve, curves, distribution, heatmap, signed
from covey.report.scatter import cells_picture, records_picture

if TYPE_CHECKING:
    from covey.matrix import Labels
    from covey.report.evidence import Evidence

OPEN = 12  # columns, above which pictures and rows are shown when asked for
UNSEEN = 0.01  # of a correlation
SMALL = 1e-9  # standard deviations, below which a bias is an error of rounding

KEY_BEFORE = Html('<svg viewBox="0 0 26 14" aria-hidden="true"><path class="before" d="M1 12V5H13V9H25"/></svg>')
KEY_AFTER = Html(
    '<svg viewBox="0 0 26 14" aria-hidden="true"><path class="after" d="M1 13V4h10v9zM14 13V8h10v5z"/></svg>'
)
KEY_DOT = Html(
    '<svg viewBox="0 0 26 14" aria-hidden="true"><path class="spoke hue-0" d="M5 7H19"/>'
    '<circle class="dot hue-0" cx="5" cy="7" r="2"/></svg>'
)
KEY_DIAMOND = Html(
    '<svg viewBox="0 0 26 14" aria-hidden="true"><path class="mark hue-0" d="M13 2l5 5-5 5-5-5z"/></svg>'
)
LACKING = "Where the original records lie is left out."


def key(*pairs: tuple[Html, str]) -> Html:
    """What the marks of a picture mean."""
    return element("ul", *(element("li", mark, words) for mark, words in pairs), class_="key")


def distortion_section(evidence: Evidence) -> Html:
    """What each quasi-identifier lost, and its distribution."""
    measures = evidence.measures
    rows = [_row(loss) for loss in evidence.losses]
    headings = ("column", "kind", "distortion D", "changed", "bias (sd)", "variance kept")
    caption = f"The {count(len(rows), 'quasi-identifier')}, those that lost most first"
    losses = table(caption, headings, rows, numeric=(2, 3, 4, 5))
    return join(
        [
            paragraph(
                "All quasi-identifiers together lost ",
                element("b", percent(float(measures["distortion"]))),
                " of their variance: D = ",
                figure(float(measures["distortion"]), 4),
                ". What was gained for it: ",
                "every published combination of them"
                if evidence.jointly
                else f"in each {evidence.unit} alone, what is published",
                f" is shared by at least {evidence.k} records.",
                class_="reading",
            ),
            losses
            if len(rows) <= 2 * OPEN
            else join([_first(headings, rows), details(f"All {len(rows)} columns", losses)]),
            *_predictability(evidence),
            *_distributions(evidence),
        ]
    )


def _predictability(evidence: Evidence) -> list[Html]:
    """How well cells predict confidential columns, which is measured where it was asked for."""
    found = evidence.measures.get("predictability")
    if not isinstance(found, dict):
        return []
    rows = [(name(column["name"]), column["kind"], percent(float(column["loss"]))) for column in found["columns"]]
    return [
        element("h3", "How well cells predict confidential columns"),
        paragraph(
            "Cells were also formed so that they predict the confidential columns, which are published as they are."
            f" What is left unpredicted: {percent(float(found['loss']))} over all.",
        ),
        table("Loss of predictability of each confidential column", ("column", "kind", "loss"), rows, numeric=(2,)),
    ]


def _first(headings: tuple[str, ...], rows: list[tuple[object, ...]]) -> Html:
    return table(f"The {OPEN} quasi-identifiers that lost most", headings, rows[:OPEN], numeric=(2, 3, 4, 5))


def _row(loss: dict[str, Any]) -> tuple[object, ...]:
    share = float(loss["distortion"])
    filled = element("span", style=f"width:{100 * min(1.0, max(0.0, share)):.1f}%")
    bar = element("span", filled, class_="bar", aria_hidden="true")
    return (
        name(loss["name"]),
        text(loss["kind"]),
        join([percent(share), bar]),
        percent(float(loss["changed"])),
        "–" if loss.get("bias") is None else bias(float(loss["bias"])),
        "–" if loss.get("variance_ratio") is None else percent(float(loss["variance_ratio"])),
    )


def bias(number: float) -> str:
    """A bias; what is an error of rounding is none."""
    return figure(number, 2) if abs(number) > SMALL else "0"


def _distributions(evidence: Evidence) -> list[Html]:
    drawn = [distribution(column) for column in evidence.columns[:PICTURED]]
    marks = [(KEY_AFTER, "published")] + ([(KEY_BEFORE, "original")] if evidence.internal else [])
    left = len(evidence.columns) - len(drawn)
    parts = [
        element("h3", "Distributions before and after" if evidence.internal else "Distributions as published"),
        paragraph(
            "Share of the records (upward) with each value (across). Published values are averages, so they keep away"
            " from the extremes and gather where the cells are.",
            class_="note",
        ),
        key(*marks),
        element("div", *drawn[:OPEN], class_="plots"),
    ]
    if drawn[OPEN:]:
        parts.append(
            details(f"{count(len(drawn) - OPEN, 'more column')}", element("div", *drawn[OPEN:], class_="plots"))
        )
    if left > 0:
        parts.append(paragraph(f"{count(left, 'column')} that lost less are not drawn.", class_="note"))
    if not evidence.internal:
        parts.append(paragraph("How the original values were distributed is left out.", class_="note"))
    return parts


def scatter_section(evidence: Evidence) -> Html:
    """Two quasi-identifiers against each other."""
    if len(evidence.scatter) < 2:
        return paragraph("There is one quasi-identifier only, so there is nothing to draw it against.")
    x, y = (evidence.column(name) for name in evidence.scatter)
    if not evidence.internal:
        drawn, circles = cells_picture(x, y)
        return join(
            [
                paragraph("Where the published records lie by ", names(evidence.scatter), ".", class_="reading"),
                element("figure", drawn, class_="large"),
                paragraph(
                    f"{count(circles, 'circle')}, the larger the more records share the values. {LACKING}",
                    class_="note",
                ),
            ]
        )
    drawn, records = records_picture(x, y, _cells(evidence))
    return join(
        [
            paragraph(
                "Each record was moved along its line to the values that its whole cell shares, by ",
                names(evidence.scatter),
                ". The shorter the lines, the less was lost.",
                class_="reading",
            ),
            key((KEY_DOT, "an original record, and where it went"), (KEY_DIAMOND, "values published for a cell")),
            element("figure", drawn, class_="large"),
            paragraph(_sampled(records, len(evidence.cells)), class_="note"),
        ]
    )


def _cells(evidence: Evidence) -> Labels:
    """The cell of each record; where columns have cells of their own, those of the two that are drawn."""
    return evidence.cells if evidence.jointly else combination_labels(evidence.table, evidence.scatter)


def _sampled(drawn: int, records: int) -> str:
    if drawn >= records:
        return f"All {count(records, 'record')} are drawn. Colours only help to tell cells apart."
    return (
        f"{count(drawn, 'record')} of {records:,} are drawn: whole cells chosen by lot. Colours only help to tell"
        " cells apart."
    )


def correlations_section(evidence: Evidence) -> Html:
    """How columns follow each other, before and after."""
    found = evidence.correlations
    if found is None:
        return paragraph("There are fewer than two numeric columns, so there is no correlation.")
    maps = [heatmap("As published", found.names, found.after)]
    if found.before is not None and found.change is not None:
        maps = [
            heatmap("Original", found.names, found.before),
            *maps,
            heatmap("Change (published less original)", found.names, found.change),
        ]
    shown = "" if found.of <= len(found.names) else f" Of {found.of:,} numeric columns, {len(found.names)} are shown."
    return join(
        [
            paragraph(*_change_words(evidence), class_="reading"),
            element("div", *maps, class_="plots wide"),
            paragraph(
                "Pearson's correlation of numeric columns, confidential ones included: +1 rise together, −1 one falls"
                f" as the other rises, – where a column does not vary.{shown}"
                + ("" if evidence.internal else " The original correlations are left out."),
                class_="note",
            ),
        ]
    )


def _change_words(evidence: Evidence) -> list[object]:
    found = evidence.correlations
    greatest = None if found is None else found.greatest
    if not evidence.internal:
        return ["How numeric columns follow each other in the released table."]
    if greatest is None:
        return ["No correlation changed."]
    first, second, before, after = greatest
    if abs(after - before) < UNSEEN:
        return [f"No correlation changed by as much as {UNSEEN}."]
    return [
        "The correlation that changed most is that of ",
        names([first, second]),
        ": ",
        was_and_is(before, after),
        ".",
    ]


def was_and_is(before: float, after: float) -> str:
    """A correlation that it was and that it is."""
    return f"it was {signed(before)} and is {signed(after)}"


def tradeoff_section(evidence: Evidence) -> Html:
    """What preserving dependence costs, where it was swept."""
    if evidence.tradeoff is None:
        return paragraph(
            "How quasi-identifiers could be traded for their relation to confidential columns was not swept for this"
            " report."
            + (
                ""
                if evidence.internal
                else " It is computed from the original records, which a public report leaves out."
            )
        )
    points = [p for p in evidence.tradeoff.points if np.isfinite([p.distortion, p.predictability_loss]).all()]
    if not points:
        return paragraph("The sweep has no points to draw.")
    drawn = [_curve(points, k) for k in sorted({point.k for point in points})]
    rows = [
        (
            f"k = {p.k}, λ = {figure(float(p.weight))}",
            percent(float(p.distortion)),
            percent(float(p.predictability_loss)),
            figure(float(p.average_diversity)),
        )
        for p in sorted(points, key=lambda p: (p.k, p.weight))
    ]
    headings = ("", "D of quasi-identifiers", "loss of predictability", "values in a cell")
    return join(
        [
            paragraph(
                "Along each curve the weight λ of the confidential columns grows from right to left: cells predict them"
                " better, and the quasi-identifiers lose more.",
                class_="reading",
            ),
            curves("One curve for each k", drawn, "loss of predictability →", "↑ D of quasi-identifiers"),
            paragraph(
                "Values in a cell: the different values of its least diverse confidential column, on average. The"
                " better cells predict, the fewer there are, and the more a cell gives away.",
                class_="note",
            ),
            details("The figures", table("What is lost by k and λ", headings, rows, numeric=(1, 2, 3))),
        ]
    )


def _curve(points: list[Any], k: int) -> Curve:
    own = sorted((point for point in points if point.k == k), key=lambda point: float(point.weight))
    return Curve(
        f"k = {k}",
        tuple(float(point.predictability_loss) for point in own),
        tuple(float(point.distortion) for point in own),
    )
