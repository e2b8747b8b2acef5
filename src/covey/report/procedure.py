"""What was done, and how to do it again."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from covey.methods import METHODS
from covey.report.asked import as_options, demands_of, in_a_sentence, in_python
from covey.report.page import Html, count, details, element, join, name, names, paragraph, table, terms, text
from covey.schema import Kind, Role

if TYPE_CHECKING:
    from covey.report.evidence import Evidence
    from covey.schema import Column

BY_CLASS = {kind.__name__: word for word, kind in METHODS.items()}
OPTIONS = ("tail", "gamma", "split", "cells", "ordinal_average")
MISSING = {
    "error": "refused: no record lacks a quasi-identifier",
    "own-cells": "records that lack the same quasi-identifiers are in cells of their own",
    "drop": "records that lack a quasi-identifier were withheld",
}
TOLD = frozenset(
    {
        *("covey", "input", "schema", "method", "dependence", "column_blocks", "missing", "strata", "weights"),
        *("preserve_variance", "shuffled", "criteria"),
    }
)
MANY = 30  # columns, from which on they are shown when asked for


def recipe_section(evidence: Evidence) -> Html:
    """What was done, step by step, and to which columns."""
    columns = _columns_table(evidence)
    many = len(evidence.schema.columns) > MANY
    return join(
        [
            paragraph(
                "Similar" if evidence.jointly else f"For each {evidence.unit} by itself similar",
                " records were gathered into cells of at least ", element("b", str(evidence.k)), ". In each cell ",
                "every quasi-identifier was" if evidence.jointly else "its values were", " replaced by one for all.",
                class_="reading",
            ),
            terms(_facts(evidence), "facts"),
            details(f"The {len(evidence.schema.columns):,} columns", columns) if many else columns,
            details("The recipe as JSON", element("pre", element("code", _json(evidence)), tabindex="0"), class_="raw"),
            *_digest_note(evidence),
        ]
    )  # fmt: skip


def _facts(evidence: Evidence) -> list[tuple[str, object]]:
    recipe, measures = evidence.recipe, evidence.measures
    strata, weights = recipe.get("strata") or [], recipe.get("weights")
    told: list[tuple[str, object]] = [
        ("Input", f"{count(recipe['input']['records'], 'record')}, {count(recipe['input']['columns'], 'column')}"),
        ("Released", f"{count(measures['records'], 'record')}, {count(measures['withheld'], 'record')} withheld"),
        ("Cells formed by", _method(recipe["method"])),
        *_asked_beside(recipe),
        ("Missing values", MISSING.get(str(recipe.get("missing")), str(recipe.get("missing")))),
        ("Never mixed in a cell", join(["values of ", names(strata)]) if strata else "no column asked for"),
        ("Weights", name(weights) if weights else "none: every record counts alike"),
        (
            "Variance",
            "rescaled to that of the original columns" if recipe.get("preserve_variance") else "that of the averages",
        ),
        (
            "Order of the records",
            "shuffled" if recipe.get("shuffled") else "kept as in the input: it may tell who is who",
        ),
        *((_words(key), _value(value)) for key, value in recipe.items() if key not in TOLD),
        ("Made with", f"covey {recipe['covey']}"),
    ]
    if evidence.internal and "sha256" in recipe["input"]:
        told.append(("Digest of the input (SHA-256)", element("code", recipe["input"]["sha256"])))
    return told


def _asked_beside(recipe: dict[str, Any]) -> list[tuple[str, object]]:
    """Dependence, blocks of columns and criteria beyond k, where they were asked for."""
    dependence, blocks = recipe.get("dependence"), recipe.get("column_blocks")
    told: list[tuple[str, object]] = []
    if dependence:
        how = f", by their expectation from the others ({dependence['expected']})" if dependence.get("expected") else ""
        words = f"the confidential columns, which count with the weight λ = {dependence['lambda']:g}{how}"
        told.append(("Cells are to predict", words))
    if blocks:
        told.append(("Blocks of columns", join((names(block) for block in blocks), "; ")))
    if recipe.get("criteria"):
        told.append(("Mended until they had", in_a_sentence(demands_of(recipe))))
    return told


def _words(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _value(value: object) -> Html:
    """A parameter of the recipe as it is read."""
    if value is None or value in ([], {}, ""):
        return text("none")
    if isinstance(value, bool):
        return text("yes" if value else "no")
    if isinstance(value, list):
        return join((_value(one) for one in value), "; ")
    if isinstance(value, dict):
        return join((join([_words(key).lower(), " ", _value(x)]) for key, x in value.items()), ", ")
    return name(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 120)


def _method(method: dict[str, Any]) -> Html:
    """A method and its parameters, from the outermost to the innermost."""
    own = {key: value for key, value in method.items() if key not in ("name", "base") and value is not None}
    base = method.get("base")
    parts: list[object] = [element("b", name(method.get("name", "?")))]
    if own:
        parts.append(
            join([" (", join((join([_words(key).lower(), " ", _value(x)]) for key, x in own.items()), ", "), ")"])
        )
    if isinstance(base, dict):
        parts += [" of ", _method(base)]
    return join(parts)


def _columns_table(evidence: Evidence) -> Html:
    strata = evidence.recipe.get("strata") or []
    rows = [
        (name(column.name), column.role.value, column.kind.value, _fate(column, column.name in strata))
        for column in evidence.schema.columns
    ]
    return table("What became of each column", ("column", "role", "kind", "published as"), rows)


def _fate(column: Column, stratum: bool) -> Html:
    if column.role is Role.IDENTIFIER:
        return text("not published")
    if column.role is not Role.QUASI or stratum:
        return text("it is")
    if column.kind is Kind.ORDINAL:
        return text(f"the median of its cell ({count(len(column.categories), 'category', 'categories')} in order)")
    if column.kind is Kind.NOMINAL:
        return text("the most frequent category of its cell")
    rounded = "" if column.decimals is None else f", {count(column.decimals, 'decimal')}"
    return text(f"the mean of its cell{rounded}")


def _json(evidence: Evidence) -> str:
    return json.dumps(_told(evidence), indent=2, ensure_ascii=False)


def _told(evidence: Evidence) -> dict[str, Any]:
    """The recipe; without the digest where others may read it, who could try values until it is right."""
    recipe = evidence.recipe
    if not evidence.internal:
        recipe["input"] = {key: value for key, value in recipe["input"].items() if key != "sha256"}
    return recipe


def _digest_note(evidence: Evidence) -> list[Html]:
    if evidence.internal:
        return []
    return [
        paragraph(
            "The digest of the input is left out: whoever knew all of the input but one value could try values until"
            " the digest is right.",
            class_="note",
        )
    ]


# Again


def reproduce_section(evidence: Evidence) -> Html:
    """The command that makes such a release, and how to check this one."""
    toml = evidence.schema.to_toml()
    parts = [
        paragraph(
            "With the schema below in ", element("code", "schema.toml"), " and the input in DATA, read in the same way:"
        ),
        element("pre", element("code", _command(evidence)), tabindex="0"),
        *_left_to_say(evidence),
    ]
    return join(
        [
            *parts,
            paragraph(_comes_out(evidence)),
            details("The schema as TOML", element("pre", element("code", toml), tabindex="0")),
            *_verify(evidence),
            paragraph(
                "So can anybody who groups the records by ",
                names([column.name for column in evidence.schema.quasi]),
                f" and looks for the smallest group. Here it has {count(evidence.sizes.min(), 'record')}.",
            ),
        ]
    )


def _left_to_say(evidence: Evidence) -> list[Html]:
    """What the command and the schema leave out."""
    recipe, demands = evidence.recipe, demands_of(evidence.recipe)
    unsaid = [_words(key).lower() for key in recipe if key not in TOLD]
    found: list[tuple[object, ...]] = []
    if unsaid:
        found.append(("Options to be added, as the recipe tells them: ", names(unsaid), "."))
    if _is_more(recipe["method"]):
        found.append(("This command leaves options to be added, which the recipe tells: see its method.",))
    if as_options(demands, evidence.schema) is None:
        said = element("code", in_python(demands))
        found.append(("The command line has no words for these criteria; in Python, add ", said, " to the others."))
    in_order = [column.name for column in evidence.schema.confidential if column.kind is Kind.ORDINAL]
    if in_order:
        found.append(("The recipe does not tell the order of the categories of ", names(in_order), ": declare it."))
    return [paragraph(*said, class_="note") for said in found]


def _comes_out(evidence: Evidence) -> str:
    """What is the same if the release is made again."""
    if _by_the_clock(evidence.recipe["method"]):
        return "The cells come out alike, not always the same: they were refined for so many seconds."
    if evidence.recipe.get("shuffled"):
        return "The cells come out the same; the order of the records does not, for it is drawn anew each time."
    return "The release comes out the same."


def _by_the_clock(method: dict[str, Any]) -> bool:
    base = method.get("base")
    return method.get("seconds") is not None or (isinstance(base, dict) and _by_the_clock(base))


def _verify(evidence: Evidence) -> list[Html]:
    """The command that counts again whether k holds, which it does for joint releases only."""
    if not evidence.jointly:
        return [paragraph("Whether the table is what it promises to be, can be counted.")]
    command = f"covey verify release.csv --schema schema.toml -k {evidence.k}"
    return [
        paragraph("Whether the table is what it promises to be, this counts:"),
        element("pre", element("code", command), tabindex="0"),
    ]


def _innermost(method: dict[str, Any]) -> dict[str, Any]:
    base = method.get("base")
    return _innermost(base) if isinstance(base, dict) else method


def _is_more(method: dict[str, Any]) -> bool:
    """Whether the method has parameters that the command does not say."""
    inner = _innermost(method)
    return inner.get("name") not in BY_CLASS or inner.get("name") == "PCL"


def _command(evidence: Evidence) -> str:
    recipe = evidence.recipe
    method = recipe["method"]
    inner = _innermost(method)
    words = ["covey", "anonymize", "DATA", "--schema", "schema.toml", "-k", str(evidence.k)]
    words += ["--method", BY_CLASS.get(str(inner.get("name")), str(inner.get("name")))]
    for option in OPTIONS:
        if option in inner and inner[option] is not None:
            words += [f"--{option.replace('_', '-')}", str(inner[option])]
    words += _around(method)
    words += _beside(recipe)
    words += as_options(demands_of(recipe), evidence.schema) or []
    if recipe.get("missing", "error") != "error":
        words += ["--missing", str(recipe["missing"])]
    for stratum in recipe.get("strata") or []:
        words += ["--strata", stratum]
    if recipe.get("weights"):
        words += ["--weights", recipe["weights"]]
    words += ["--preserve-variance"] if recipe.get("preserve_variance") else []
    words += [] if recipe.get("shuffled") else ["--keep-order"]
    return shlex.join([*words, "-o", "release.csv"])


def _beside(recipe: dict[str, Any]) -> list[str]:
    """The options that ask for dependence and for blocks of columns."""
    dependence, blocks = recipe.get("dependence"), recipe.get("column_blocks")
    words: list[str] = []
    if dependence:
        words += ["--dependence", str(dependence["lambda"])]
        words += ["--expected", str(dependence["expected"])] if dependence.get("expected") else []
    for block in blocks or []:
        words += ["--column-blocks", ",".join(block)]
    return [*words, "--guarantee", "per-block"] if blocks else words


def _around(method: dict[str, Any]) -> list[str]:
    """The options that ask for what is done around the method."""
    words = []
    while isinstance(method.get("base"), dict):
        told = {"seconds": "--refine", "steps": "--refine-steps", "size": "--blocks", "seed": "--refine-seed"}
        for key, option in told.items():
            if method.get(key) not in (None, 0):
                words += [option, str(method[key])]
        method = method["base"]
    return words
