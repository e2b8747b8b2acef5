"""What is still at risk: sizes of cells, links to the original records, diversity, and who is most exposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.report.columns import Numbers
from covey.report.page import Html, count, element, figure, join, listing, name, names, paragraph, percent, table, text
from covey.report.plots import sizes_histogram

if TYPE_CHECKING:
    from covey.measures.confidential import Diversity, ExposedCell
    from covey.report.columns import Shown
    from covey.report.evidence import Evidence

EXPOSED = 10  # cells listed
LISTED = 6  # quasi-identifiers of each
MOST_COLUMNS = 24  # in a table of intervals


def cells_section(evidence: Evidence) -> Html:
    """How many records share their quasi-identifiers."""
    sizes, k = evidence.sizes, evidence.k
    smallest, largest = int(sizes.min()), int(sizes.max())
    below = int(np.count_nonzero(sizes < k))
    parts = [
        paragraph(
            f"The released table has {count(len(sizes), 'different combination')} of quasi-identifiers, shared by"
            f" {_span(smallest, largest)} each.",
            class_="reading",
        ),
        sizes_histogram(sizes, k),
    ]
    if below:
        parts.append(
            paragraph(
                f"Of {count(len(sizes))} combinations, {count(below)} are shared by fewer than k = {k} records:"
                f" each {evidence.unit} was treated alone, and k holds for each alone only.",
                class_="aside",
            )
        )
    else:
        parts.append(
            paragraph(
                f"Whoever finds somebody's cell has at most one chance in {smallest:,} to name the record:"
                f" {percent(1 / smallest)}. Over all records, the chance is {percent(len(sizes) / sizes.sum())} on"
                " average.",
            )
        )
    return join(parts)


def _span(smallest: int, largest: int) -> str:
    return count(smallest, "record") if smallest == largest else f"{smallest:,} to {count(largest, 'record')}"


# Linkage


def linkage_section(evidence: Evidence) -> Html:
    """How many published records lead back to their original."""
    if not evidence.internal:
        return paragraph(
            "How many published records can be taken back to the original they are nearest to is measured with the"
            " original records. A public report leaves it out. It never exceeds the number of cells over the number of"
            f" records, here {percent(len(evidence.sizes) / evidence.sizes.sum())}."
        )
    found = evidence.risks.linkage
    if found is None:
        return paragraph("It could not be measured: ", text(evidence.risks.unlinked), ".")
    return join(
        [
            paragraph(
                "Somebody who knew every original quasi-identifier exactly, and took each published record back to the"
                " nearest original, would be right for ",
                element("b", percent(found.share, 2)),
                f" of {count(found.records, 'record')}: {_expected(found.linked)}.",
                class_="reading",
            ),
            table(
                "Links that are right, as a share of the published records",
                ("", "share"),
                (
                    ("Taking the nearest original", percent(found.share, 2)),
                    ("At most, whatever the original: cells over records", percent(found.bound, 2)),
                    *((join(["Knowing only ", names(one.columns)]), percent(one.share, 2)) for one in found.blocks),
                    ("Guessing blindly", percent(found.chance, 3)),
                ),
                numeric=(1,),
            ),
            paragraph(
                "Whoever goes by the quasi-identifiers alone does no better than the second line on average, for the"
                " records of a cell look alike in them. Other knowledge, as of confidential values, may lead further."
                " Nearest originals are counted over all records of the input; ties share the credit.",
                class_="note",
            ),
            *_intervals(evidence),
        ]
    )


def _expected(linked: float) -> str:
    return f"some {count(round(linked), 'record')}" if linked >= 1 else "less than one record"


def _intervals(evidence: Evidence) -> list[Html]:
    """How often the original lies near its published value."""
    found = evidence.risks.intervals
    if found is None:
        return []
    rows = [(name(column.name), percent(column.share)) for column in found.columns[:MOST_COLUMNS]]
    rows.append((element("i", "all of these columns at once"), percent(found.jointly.share)))
    return [
        element("h3", "How near published values are to the original"),
        table(
            f"Records whose original value is within {found.width:g} standard deviations of the published one",
            ("column", "records"),
            rows,
            numeric=(1,),
        ),
        paragraph(
            "A high share is what makes a table useful: values are near what they were. It matters where a value is"
            " secret in itself; quasi-identifiers are taken to be known.",
            class_="note",
        ),
    ]


# Diversity


def diversity_section(evidence: Evidence) -> Html:
    """What a cell tells of the confidential values of its records."""
    if not evidence.schema.confidential:
        return paragraph("No column is declared confidential, so there is nothing that a cell could give away.")
    if not evidence.risks.diversities:
        return join(_left_out(evidence))
    headings = (
        *("column", "values", "least in a cell", "least effective", "cells of one value"),
        *("records in them", "farthest t", "bits told"),
    )
    return join(
        [
            paragraph(
                "Whoever finds a person's cell learns how the confidential values are distributed in it, even without"
                " knowing which record is the person's.",
                class_="reading",
            ),
            listing(diversity_words(found) for found in evidence.risks.diversities),
            table(
                "Diversity of each confidential column",
                headings,
                map(_row, evidence.risks.diversities),
                numeric=range(1, 8),
            ),
            *_average(evidence),
            paragraph(
                "Least effective: as many values, all as frequent, would leave as much doubt as the least diverse cell."
                " Farthest t: how far the values of a cell are from those of the whole table, from 0 to 1, where values"
                " are the same or not (equal), or differ by places in their order (ordered) or by amounts (numeric)."
                " Bits told:"
                " the mutual information of cell and value, and how much there is to tell."
                " Missing values count as a value of their own; where values have an order, t compares the known ones"
                " and the shares that are missing.",
                class_="note",
            ),
            *_left_out(evidence),
        ]
    )


def _row(found: Diversity) -> tuple[object, ...]:
    least = found.distinct if found.intervals is None else found.intervals
    return (
        name(found.name),
        count(found.values),
        count(least) if found.intervals is None else count(least, "interval"),
        figure(found.entropy),
        f"{found.homogeneous_cells:,} of {found.cells:,}",
        percent(found.homogeneous_records / found.records),
        f"{figure(found.closeness.t, 2)} {_ground(found)}",
        f"{figure(found.risk_bits)} of {figure(found.entropy_bits)}",
    )


def _ground(found: Diversity) -> str:
    """By which distance of values t is measured."""
    if found.closeness.numeric is not None:
        return "numeric"
    return "equal" if found.closeness.ordered is None else "ordered"


def diversity_words(found: Diversity) -> Html:
    """What the diversity of a column means for the people in the table."""
    if found.homogeneous_cells:
        return join(
            [
                element("b", name(found.name)),
                (
                    f": in {count(found.homogeneous_cells, 'cell')} of {found.cells:,} all records share one value."
                    f" Whoever finds one of their {count(found.homogeneous_records, 'record')}"
                    f" ({percent(found.homogeneous_records / found.records)}) knows it."
                ),
            ]
        )
    least = count(found.distinct, "different value")
    if found.intervals == 1:
        return join(
            [
                element("b", name(found.name)),
                (
                    f": every cell holds at least {least}, but in some cell all are within {found.width:g} standard"
                    " deviations of each other: whoever finds a record there knows the value nearly."
                ),
            ]
        )
    return join(
        [
            element("b", name(found.name)),
            (
                f": every cell holds at least {least}, so none tells a value for certain. The least diverse leaves as"
                f" much doubt as {figure(found.entropy)} values that are all as frequent."
            ),
        ]
    )


def _average(evidence: Evidence) -> list[Html]:
    if evidence.risks.average_diversity is None:
        return []
    return [
        paragraph(
            "On average a cell holds ",
            element("b", figure(evidence.risks.average_diversity)),
            " different values in its least diverse confidential column; of continuous ones, intervals of 0.2 standard"
            " deviations.",
        )
    ]


def _left_out(evidence: Evidence) -> list[Html]:
    measured = {found.name for found in evidence.risks.diversities}
    absent = [column.name for column in evidence.schema.confidential if column.name not in measured]
    if not absent:
        return []
    return [paragraph("Not measured, because covey cannot compare their values: ", names(absent), ".", class_="note")]


# Exposed


def exposed_section(evidence: Evidence) -> Html:
    """The cells in which people have least company, or company of their kind only."""
    chosen = evidence.columns[:LISTED]
    left = len(evidence.columns) - len(chosen)
    parts = [
        paragraph(
            "The cells to look at first. Their quasi-identifiers are those published; no confidential value is shown.",
            class_="reading",
        ),
        element("h3", "By size"),
        _by_size(evidence, chosen),
    ]
    if evidence.risks.exposed:
        parts += [element("h3", "By diversity"), _by_diversity(evidence, chosen)]
    if left > 0:
        parts.append(paragraph(f"{count(left, 'further quasi-identifier')} of each cell are not shown.", class_="note"))
    return join(parts)


def _by_size(evidence: Evidence, chosen: tuple[Shown, ...]) -> Html:
    _, rows = np.unique(evidence.cells, return_index=True)
    order = np.argsort(evidence.sizes, kind="stable")[:EXPOSED]
    smallest = int(np.count_nonzero(evidence.sizes == evidence.sizes.min()))
    found = [(str(i + 1), *_values(chosen, int(rows[c])), count(evidence.sizes[c])) for i, c in enumerate(order)]
    caption = f"The {len(order)} smallest cells; {count(smallest, 'cell has', 'cells have')} the smallest size"
    headings = ("", *(name(column.name, 24) for column in chosen), "records")
    return table(caption, headings, found, numeric=(len(chosen) + 1,))


def _by_diversity(evidence: Evidence, chosen: tuple[Shown, ...]) -> Html:
    found = [
        (
            str(i + 1),
            *_values(chosen, cell.row),
            count(cell.size),
            name(cell.column, 24),
            _distinct(evidence, cell),
            figure(cell.effective),
        )
        for i, cell in enumerate(evidence.risks.exposed[:EXPOSED])
    ]
    d = len(chosen)
    headings = (
        *("", *(name(column.name, 24) for column in chosen)),
        *("records", "least diverse column", "different values", "effective"),
    )
    caption = "The cells that tell most of a confidential column; of equals, the largest first"
    return table(caption, headings, found, numeric=(d + 1, d + 3, d + 4))


def _distinct(evidence: Evidence, cell: ExposedCell) -> str:
    """How many different values, or intervals of a continuous column."""
    continuous = next(found.intervals for found in evidence.risks.diversities if found.name == cell.column) is not None
    return count(cell.distinct, "interval") if continuous else count(cell.distinct)


def _values(columns: tuple[Shown, ...], row: int) -> list[Html]:
    return [value_of(column, row) for column in columns]


def value_of(column: Shown, row: int) -> Html:
    """A published value as it is read."""
    if isinstance(column, Numbers):
        value = float(column.after[row])
        return text(column.said(value, 6)) if np.isfinite(value) else element("i", "missing")
    code = int(column.after[row])
    return name(column.levels[code], 24) if code >= 0 else element("i", "missing")
