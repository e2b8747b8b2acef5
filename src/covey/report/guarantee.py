"""What is guaranteed and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.report.page import Html, count, details, element, figure, join, listing, name, paragraph, table, text

if TYPE_CHECKING:
    from covey.report.evidence import Evidence

LONG = 600  # letters of a statement


def guarantee_section(evidence: Evidence) -> Html:
    """The statement, in its own words."""
    statement = evidence.statement
    return join(
        [
            element(
                "div",
                card("good", "✓", "Guaranteed", paragraph(guaranteed(evidence)), _against(evidence), *also(evidence)),
                card("warn", "!", "Not guaranteed", _listed("It does not protect against", not_protected(evidence))),
                card("look", "?", "Assumed", _listed("It holds only if", list(statement["assumes"]))),
                class_="cards",
            ),
            *_criteria(statement.get("also") or []),
            *([details("The statement in full", paragraph(statement["says"]))] if _is_long(evidence) else []),
            paragraph(
                "The sizes of the cells were counted on the released table when it was made, and again for this report"
                f"{_criteria_too(evidence)}. Whether the columns have the right roles, no program can count: it is for"
                " a person to judge.",
                class_="note",
            ),
        ]
    )


def guaranteed(evidence: Evidence) -> str:
    """The statement; where it names very many columns, the same with their number."""
    statement = evidence.statement
    if not _is_long(evidence):
        return str(statement["says"])
    many = count(len(evidence.schema.quasi), "quasi-identifier")
    if evidence.jointly:
        return (
            f"Every published combination of the {many} is shared by at least {evidence.k} records (the rarest by"
            f" {statement['smallest_cell']:,}); counted on the released table itself."
        )
    if evidence.recipe.get("column_blocks"):
        return (
            f"In each block of the {many}, taken alone, every published combination is shared by at least"
            f" {evidence.k} records. JOINTLY THE TABLE IS NOT k-ANONYMOUS."
        )
    return (
        f"In each of the {many}, taken alone, every published value is shared by at least {evidence.k} records. JOINTLY"
        " THE TABLE IS NOT k-ANONYMOUS."
    )


def _criteria_too(evidence: Evidence) -> str:
    """Whether criteria were counted again."""
    found = evidence.statement.get("also") or []
    if not found:
        return ""
    left = [one["column"] for one in found if not one["counted"]]
    if not left:
        return ", and so were the criteria beyond k"
    return (
        f"; {len(found) - len(left)} of {count(len(found), 'criterion', 'criteria')} beyond k, too, but not where the"
        " order of categories matters, which the recipe does not tell"
    )


def _is_long(evidence: Evidence) -> bool:
    return len(str(evidence.statement["says"])) > LONG


def not_protected(evidence: Evidence) -> list[str]:
    """What the statement says the release does not protect against."""
    return [str(said) for said in evidence.statement["does_not_protect_against"]]


def _against(evidence: Evidence) -> Html:
    said = evidence.statement.get("protects_against")
    return paragraph("It protects against ", text(said), ".") if said else Html("")


def _listed(lead: str, items: list[str]) -> Html:
    return join([paragraph(f"{lead}:"), listing(items)])


def also(evidence: Evidence) -> list[Html]:
    """Stronger criteria that were asked for and recounted."""
    found = evidence.statement.get("also") or []
    return [paragraph(element("b", "Also: "), text(one.get("says", one.get("criterion", "")))) for one in found]


def also_in_short(evidence: Evidence) -> list[Html]:
    """The same by name and number."""
    found = evidence.statement.get("also") or []
    if not found:
        return []
    items = [
        join([text(one.get("criterion", "")), " of ", name(one.get("column") or "all"), ": ", _number(one.get("asked")),
              " asked, ", _number(one.get("attained")), " attained"])
        for one in found
    ]  # fmt: skip
    return [paragraph("Beyond k:"), listing(items)]


def _criteria(found: list[dict[str, object]]) -> list[Html]:
    if not found:
        return []
    rows = [
        (
            text(one.get("criterion", "")),
            name(one.get("column") or "all"),
            _number(one.get("asked")),
            _number(one.get("attained")),
            "yes" if one["counted"] else "no",
        )
        for one in found
    ]
    headings = ("criterion", "column", "asked", "attained", "counted again")
    return [table("Criteria asked for beyond k", headings, rows, numeric=(2, 3, 4))]


def _number(value: object) -> str:
    return figure(value, 4) if isinstance(value, int | float) else str(value)


def card(kind: str, sign: str, title: str, *content: object) -> Html:
    """A box with a sign, which says by its shape what its colour says."""
    heading = element("h3", element("span", sign, class_=f"sign {kind}", aria_hidden="true"), title)
    return element("div", heading, *content, class_="card")
