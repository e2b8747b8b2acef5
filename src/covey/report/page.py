"""HTML and SVG built so that no text can become markup: what is not made by `element` is escaped."""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

VOID = frozenset({"meta", "br", "hr", "col", "img", "input", "link"})
LONGEST = 48  # characters of a name or value that are shown
# What XML or HTML forbids, and what would turn the direction of the text around it.
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]")


class Html(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


def text(value: object) -> Html:
    """Any value as text, escaped; markup as it is."""
    if isinstance(value, Html):
        return value
    return Html(html.escape(FORBIDDEN.sub("\ufffd", str(value)), quote=True))


def join(parts: Iterable[object], between: str = "") -> Html:
    """Several pieces as one."""
    return Html(text(between).join(text(part) for part in parts))


def element(tag: str, /, *children: object, **attributes: object) -> Html:
    """An element; attributes that are None or False are left out, `_` in their names is `-`, and a last one goes."""
    given = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{text(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Html(f"<{tag}{given}>")
    return Html(f"<{tag}{given}>{join(children)}</{tag}>")


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def shortened(value: object, most: int = LONGEST) -> str:
    """The beginning of a text that is too long to be shown, and a sign that there is more."""
    whole = str(value)
    return whole if len(whole) <= most else whole[: most - 1] + "…"


def name(value: object, most: int = LONGEST) -> Html:
    """A name or value from the data: isolated, lest its direction turn the sentence, and shortened."""
    whole, shown = str(value), shortened(value, most)
    return element("bdi", shown, title=whole[:400] if shown != whole else None)


def names(values: Iterable[object], most: int = 8) -> Html:
    """Names in a sentence; of many the first few, and how many more there are."""
    listed = list(values)
    shown = [name(value) for value in listed[:most]]
    if len(listed) > most:
        return join([join(shown, ", "), f" and {len(listed) - most:,} more"])
    return join([join(shown[:-1], ", "), " and " if len(shown) > 1 else "", *shown[-1:]])


def table(
    caption: str, headings: Iterable[object], rows: Iterable[Iterable[object]], *, numeric: Iterable[int] = ()
) -> Html:
    """A table with a caption, whose first column heads its rows; `numeric` columns are aligned to the right."""
    right = frozenset(numeric)

    def kind(i: int) -> str | None:
        return "number" if i in right else None

    head = [element("th", heading, scope="col", class_=kind(i)) for i, heading in enumerate(headings)]
    body = [
        element(
            "tr",
            *(
                element("td", cell, class_=kind(i)) if i else element("th", cell, scope="row")
                for i, cell in enumerate(row)
            ),
        )
        for row in rows
    ]
    return element(
        "div",
        element(
            "table",
            element("caption", caption),
            element("thead", element("tr", *head)),
            element("tbody", *body),
        ),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def paragraph(*parts: object, class_: str | None = None) -> Html:
    """A paragraph."""
    return element("p", *parts, class_=class_)


def listing(items: Iterable[object], class_: str | None = None) -> Html:
    """A list."""
    return element("ul", *(element("li", item) for item in items), class_=class_)


def details(summary: object, *content: object, class_: str | None = None) -> Html:
    """What is shown when it is asked for; of the class `raw`, what is not worth the paper."""
    return element("details", element("summary", summary), *content, class_=class_)


def terms(pairs: Iterable[tuple[object, object]], class_: str | None = None) -> Html:
    """Terms and what they mean."""
    return element(
        "dl", *(element("div", element("dt", term), element("dd", said)) for term, said in pairs), class_=class_
    )


# Numbers in words


def count(number: float, what: str = "", plural: str | None = None) -> str:
    """`1 record`, `2,000 records`."""
    if not what:
        return f"{int(number):,}"
    return f"{int(number):,} {what if number == 1 else plural or what + 's'}"


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage; small but not none is not written as 0."""
    if share and abs(share) < 0.5 * 10.0 ** -(digits + 2):
        return f"{'> −' if share < 0 else '< '}{10.0**-digits:.{digits}f}\u00a0%"
    return f"{100 * share:.{digits}f}\u00a0%".replace("-", "−")


def figure(number: float | None, digits: int = 3) -> str:
    """A number of so many significant digits, or a dash where there is none."""
    if number is None or math.isnan(number):
        return "–"
    rounded = f"{number:.{digits}g}"
    if 10**digits <= abs(number) < 1e15:
        rounded = f"{number:,.0f}"
    return rounded.replace("-", "−")
