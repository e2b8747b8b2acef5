"""The report as a page: its sections in order, from what was gathered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidInput
from covey.report.checks import check_document
from covey.report.evidence import gather
from covey.report.findings import findings
from covey.report.glossary import WORDS
from covey.report.guarantee import also_in_short, card, guarantee_section, guaranteed, not_protected
from covey.report.loss import correlations_section, distortion_section, scatter_section, tradeoff_section
from covey.report.page import Html, count, element, join, listing, paragraph, percent, terms, text
from covey.report.procedure import recipe_section, reproduce_section
from covey.report.risk import cells_section, diversity_section, exposed_section, linkage_section
from covey.report.style import sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from covey.matrix import Rows
    from covey.report.evidence import Evidence

INTERNAL = "INTERNAL: shows original records; not for publication"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing is loaded and nothing runs, whatever the names are
PUBLIC = "Public: shows only what can be computed from the released table and its recipe"


@dataclass(frozen=True, slots=True)
class Report:
    """One self-contained HTML page on a release, for people.

    Attributes
    ----------
    html : str
        The page: no other file, no network and no script is needed to read it.
    internal : bool
        Whether it shows pictures or figures of original records, and so is not for publication. It says so itself.
    """

    html: str
    internal: bool

    def __repr__(self) -> str:
        return f"Report({'internal' if self.internal else 'public'}, {len(self.html.encode()):,} bytes)"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return element(
            "iframe", srcdoc=self.html, title="Report of a release", width="100%", height="800", style="border:0"
        )


def make_report(
    table: Any,
    document: dict[str, Any],
    *,
    original: Any = None,
    rows: Rows | None = None,
    public: bool = False,
    scatter: Sequence[str] | None = None,
    tradeoff: Any = None,
) -> Report:
    """The report of a release: internal if the original table is given, and public without it or if asked for.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The release.
    document : dict
        Its recipe, statement, measures and notes: what `Release.to_dict` gives and `covey anonymize --recipe` writes.
    original : pandas.DataFrame, polars.DataFrame or pyarrow.Table, optional
        What it was made of.
    rows : ndarray, optional
        The record of the original that each published one was; by default they are in the same order.
    public : bool
        Leave out whatever cannot be computed from the release and the document: the original is not looked at.
    scatter : (str, str), optional
        The quasi-identifiers to draw against each other; by default the two continuous ones that lost most.
    tradeoff : Tradeoff, optional
        A sweep of `covey.tradeoff` to be drawn. It is computed from the original, so it is for internal reports.

    Returns
    -------
    Report
        The page.

    Raises
    ------
    InvalidInput
        Release, recipe and original are not of each other, or an option does not fit.
    """
    if not isinstance(public, bool):
        raise InvalidInput("public must be True or False")
    internal = original is not None and not public
    if tradeoff is not None and not internal:
        raise InvalidInput("a trade-off curve is computed from the original records: it is for an internal report only")
    evidence = gather(
        table,
        check_document(document),
        original if internal else None,
        rows if internal else None,
        scatter=_checked(scatter),
        tradeoff=tradeoff,
    )
    return Report(str(page(evidence)), internal)


def _checked(scatter: Sequence[str] | None) -> tuple[str, ...] | None:
    if scatter is None:
        return None
    if isinstance(scatter, str) or len(scatter) != 2:
        raise InvalidInput("scatter takes the names of two quasi-identifiers")
    return tuple(scatter)


def page(evidence: Evidence) -> Html:
    """The whole page."""
    title = f"Report of a release: k = {evidence.k}, {count(evidence.table.num_rows, 'record')}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("title", ("INTERNAL · " if evidence.internal else "") + title),
        element("style", Html(sheet(INTERNAL if evidence.internal else ""))),
    )
    running = INTERNAL if evidence.internal else ""
    sheet_of_paper = element(
        "div",
        element("div", element("span", running), class_="running", role="note") if running else "",
        element(
            "div", _masthead(evidence), element("div", _contents(), _main(evidence), class_="layout"), class_="frame"
        ),
        class_="sheet",
    )
    body = element("body", element("a", "Skip to the report", href="#summary", class_="skip"), sheet_of_paper)
    return Html("<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n")


def _masthead(evidence: Evidence) -> Html:
    recipe = evidence.recipe
    return element(
        "header",
        paragraph("Internal report" if evidence.internal else "Public report", class_="eyebrow"),
        element("h1", _headline(evidence)),
        paragraph(
            f"A release of {count(evidence.table.num_rows, 'record')} by covey {recipe['covey']}: what was done, what"
            " it guarantees, what was lost and what is still at risk. ",
            "It shows original records and is not for publication." if evidence.internal else f"{PUBLIC}.",
            class_="lead",
        ),
        class_="masthead",
    )


def _headline(evidence: Evidence) -> str:
    if evidence.jointly:
        return f"No record stands alone: each shares its quasi-identifiers with at least {evidence.k - 1} others"
    if evidence.recipe.get("column_blocks"):
        return f"Jointly not k-anonymous: k = {evidence.k} holds in each block of columns alone"
    return f"Jointly not k-anonymous: k = {evidence.k} holds in each column alone"


def _contents() -> Html:
    links = (element("li", element("a", heading, href=f"#{key}")) for key, heading, _ in SECTIONS)
    return element("nav", element("h2", "Contents"), element("ol", *links), class_="contents", aria_label="Contents")


def _main(evidence: Evidence) -> Html:
    sections = (_section(evidence, key, heading, show) for key, heading, show in SECTIONS)
    foot = element(
        "footer",
        f"Made by covey {evidence.recipe['covey']} from the release and its recipe"
        + (", and from the original records. " + INTERNAL + "." if evidence.internal else " alone."),
    )
    return element("main", *sections, foot)


def _section(evidence: Evidence, key: str, heading: str, show: Callable[[Evidence], Html]) -> Html:
    badge = element("span", "Internal: not for publication", class_="badge") if evidence.internal else ""
    title = element("div", element("h2", heading, id=f"{key}-heading"), badge, class_="heading")
    return element("section", title, show(evidence), id=key, aria_labelledby=f"{key}-heading")


# Sections that need no module of their own


def summary_section(evidence: Evidence) -> Html:
    """What somebody who reads no further should know."""
    measures, statement = evidence.measures, evidence.statement
    alone = "" if evidence.jointly else f", each {evidence.unit} alone"
    figures = (
        ("k, the least that was asked for", str(evidence.k)),
        ("records released", count(measures["records"])),
        ("cells" + alone, count(measures["cells"])),
        ("records in the smallest cell" + alone, count(statement["smallest_cell"])),
        ("of the variance lost (D)", percent(float(measures["distortion"]))),
        ("records withheld", count(measures["withheld"])),
    )
    found = findings(evidence)
    return join(
        [
            terms(figures, "figures"),
            element(
                "div",
                card("good", "✓", "What is guaranteed", paragraph(guaranteed(evidence)), *also_in_short(evidence)),
                card("warn", "!", "What is not", listing(_sentence(said) for said in not_protected(evidence))),
                card(
                    "look", "→", "What stands out",
                    listing(found) if found else paragraph("Nothing in particular."),
                ),
                class_="cards",
            ),
        ]
    )  # fmt: skip


def _sentence(said: str) -> str:
    return said[:1].upper() + said[1:] + "."


def notes_section(evidence: Evidence) -> Html:
    """What the publisher should know."""
    notes = [*evidence.document["notes"], *evidence.doubts]
    if not notes:
        return paragraph("There are none.")
    return listing(text(_sentence(str(note))) for note in notes)


def glossary_section(evidence: Evidence) -> Html:  # noqa: ARG001 (all sections are called alike)
    """The words of the report."""
    return terms(WORDS, "words")


SECTIONS: tuple[tuple[str, str, Callable[[Evidence], Html]], ...] = (
    ("summary", "At a glance", summary_section),
    ("recipe", "What was done", recipe_section),
    ("guarantee", "What is guaranteed, and what is not", guarantee_section),
    ("distortion", "What each column lost", distortion_section),
    ("scatter", "Two columns and their cells", scatter_section),
    ("correlations", "Correlations", correlations_section),
    ("tradeoff", "What could be traded", tradeoff_section),
    ("cells", "Sizes of the cells", cells_section),
    ("linkage", "Links to the original records", linkage_section),
    ("diversity", "Diversity of confidential values", diversity_section),
    ("exposed", "The most exposed cells", exposed_section),
    ("notes", "Notes", notes_section),
    ("glossary", "Words", glossary_section),
    ("reproduce", "How to do it again", reproduce_section),
)
