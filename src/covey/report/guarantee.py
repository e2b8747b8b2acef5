"""What is guaranteed and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.report.page import Html, element, join, listing, name, paragraph, table, text

if TYPE_CHECKING:
    from covey.report.evidence import Evidence


def guarantee_section(evidence: Evidence) -> Html:
    """The statement, in its own words."""
    statement = evidence.statement
    also = statement.get("also") or []
    return join(
        [
            element(
                "div",
                card("good", "✓", "Guaranteed", paragraph(statement["says"]), _against(evidence), *_also(also)),
                card("warn", "!", "Not guaranteed", _listed("It does not protect against", not_protected(evidence))),
                card("look", "?", "Assumed", _listed("It holds only if", list(statement["assumes"]))),
                class_="cards",
            ),
            *_criteria(also),
            paragraph(
                "The guarantee was counted on the released table itself, and counted again for this report."
                " Whether the columns have the right roles, no program can count: it is for a person to judge.",
                class_="note",
            ),
        ]
    )


def not_protected(evidence: Evidence) -> list[str]:
    """What the statement says the release does not protect against."""
    return [str(said) for said in evidence.statement["does_not_protect_against"]]


def _against(evidence: Evidence) -> Html:
    said = evidence.statement.get("protects_against")
    return paragraph("It protects against ", text(said), ".") if said else Html("")


def _listed(lead: str, items: list[str]) -> Html:
    return join([paragraph(f"{lead}:"), listing(items)])


def _also(also: list[dict[str, object]]) -> list[Html]:
    """Stronger criteria that were asked for and recounted."""
    return [paragraph(element("b", "Also: "), text(found.get("says", found.get("criterion", "")))) for found in also]


def _criteria(also: list[dict[str, object]]) -> list[Html]:
    if not also:
        return []
    rows = [
        (
            text(found.get("criterion", "")),
            name(found.get("column") or "all"),
            found.get("asked"),
            found.get("attained"),
        )
        for found in also
    ]
    headings = ("criterion", "column", "asked", "attained")
    return [table("Criteria asked for beyond k, recounted on the release", headings, rows, numeric=(2, 3))]


def card(kind: str, sign: str, title: str, *content: object) -> Html:
    """A box with a sign, which says by its shape what its colour says."""
    heading = element("h3", element("span", sign, class_=f"sign {kind}", aria_hidden="true"), title)
    return element("div", heading, *content, class_="card")
