"""Reports of releases: what they show, what they leave out, and that they stand any release."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import InvalidInput, Schema
from covey.io import read_table, write_table
from covey.report import Report, make_report
from covey.report.build import INTERNAL
from tests.unit.report.pages import HARD, SECTIONS, Reader, people, people_schema


@pytest.fixture(scope="module")
def table():
    return people()


@pytest.fixture(scope="module")
def release(table):
    return covey.anonymize(table, people_schema(), k=4, seed=1)


@pytest.fixture(scope="module")
def internal(release, table):
    return release.report(table)


@pytest.fixture(scope="module")
def public(release):
    return release.report()


def check_page(report: Report) -> Reader:
    """A page that is well-formed, has every section, loads nothing and names each picture."""
    page = Reader(report.html)
    assert page.faults == []
    ids = [str(given["id"]) for _, given in page.elements if "id" in given]
    assert len(ids) == len(set(ids))
    assert [given["id"] for given in page.all("section")] == list(SECTIONS)
    assert [given["href"] for given in page.all("a")] == ["#summary", *(f"#{name}" for name in SECTIONS)]
    assert not {"script", "link", "img", "iframe", "object", "base"} & {tag for tag, _ in page.elements}
    assert not any(name.startswith("on") or name == "src" for _, given in page.elements for name in given)
    assert not re.search(r"https?://|url\(|@import", report.html)
    assert "default-src 'none'" in str([given.get("content") for given in page.all("meta")])
    for picture in page.all("svg"):
        assert picture.get("aria-hidden") == "true" or (picture["role"] == "img" and picture["aria-label"])
    return page


@pytest.mark.parametrize("name", HARD)
def test_any_release_has_a_report(name):
    """Every section of every page is there and well-formed, whatever the release is like."""
    table, release = HARD[name]()
    for report in (release.report(table), release.report()):
        page = check_page(report)
        assert len(report.html) < 600_000
        assert not re.search(r"\b(nan|inf|None)\b", page.text)


def test_pages_speak_of_what_matters(internal, public, release):
    """The numbers an officer wants are on the page."""
    for report in (internal, public):
        words = Reader(report.html).text
        assert release.statement["says"] in words
        assert all(said in words for said in release.statement["assumes"])
        assert "60 records" in words
        assert f"{100 * release.measures.distortion:.1f}\u00a0%" in words
        assert all(column in words for column in ("age", "weight", "sex", "school", "income", "illness"))


def test_a_page_has_a_language_a_title_landmarks_and_an_order(internal):
    """What screen readers go by."""
    page = Reader(internal.html)
    assert page.all("html") == [{"lang": "en"}]
    assert all(len(page.all(tag)) == 1 for tag in ("main", "nav", "header", "footer", "h1", "title"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(page.all("caption")) == len(page.all("table")) > 4
    assert all(given.get("scope") in ("col", "row") for given in page.all("th"))


def test_internal_reports_say_so(internal, public):
    """In the title, at the top, at the head of each section and on each printed page; public ones never."""
    assert internal.internal
    assert INTERNAL in Reader(internal.html).words
    assert internal.html.count('class="badge"') == len(SECTIONS)
    assert f'@top-center{{content:"{INTERNAL}"' in internal.html
    assert "<title>INTERNAL" in internal.html
    assert not public.internal
    assert "INTERNAL" not in public.html
    assert 'class="badge"' not in public.html


def test_a_public_report_is_made_of_the_release_and_its_recipe_alone(release, table, tmp_path):
    """It is the same, byte by byte, with the original at hand and from the two files only."""
    with_original = release.report(table, public=True)
    write_table(release.table, tmp_path / "release.parquet")
    document = json.loads(release.to_json())
    from_files = make_report(read_table(tmp_path / "release.parquet"), document)
    assert with_original == release.report() == from_files


def test_kinds_of_frames_make_the_same_report(table):
    """pandas, polars and Arrow."""
    pages = set()
    for make in (lambda x: x, lambda x: x.to_pandas(), pl.from_arrow):
        frame = make(table)
        release = covey.anonymize(frame, people_schema(), k=4, seed=1)
        pages.add(re.sub("[0-9a-f]{64}", "", release.report(frame).html))
    assert len(pages) == 1


def canaries() -> tuple[pa.Table, Schema]:
    """A table whose every value can be recognised on a page."""
    n = 40
    columns = {
        "who": [f"WHO{i:03}" for i in range(n)],
        "q": [7_000_003.0 + 1009 * i for i in range(n)],
        "r": [f"QUASI{i:03}" if i % 5 else "COMMON" for i in range(n)],
        "secret": [f"SECRET{i % 9:03}" for i in range(n)],
        "sum": [9_100_017.0 + 1013 * i for i in range(n)],
    }
    schema = Schema.of(
        ["q", "r"], identifiers=["who"], confidential=["secret", "sum"], nominal=["r", "secret"], continuous=["sum"]
    )
    return pa.table(columns), schema


def written(value: object) -> list[str]:
    """How a value may be written on a page."""
    if not isinstance(value, float):
        return [str(value)]
    return [f"{value:.0f}", f"{value:,.0f}"]


def test_a_public_report_tells_no_original_value():
    """No identifier, no confidential value, and no quasi-identifier that was not released."""
    table, schema = canaries()
    release = covey.anonymize(table, schema, k=4, seed=2)
    page = release.report(table, public=True).html
    published = {value for name in ("q", "r") for value in release.table.column(name).to_pylist()}
    told = [
        value
        for name in table.column_names
        for value in set(table.column(name).to_pylist()) - published
        if any(way in page for way in written(value))
    ]
    assert told == []
    assert "COMMON" in page


def test_an_internal_report_tells_no_confidential_value():
    """Nor an identifier: it shows original quasi-identifiers, and counts of the rest."""
    table, schema = canaries()
    page = covey.anonymize(table, schema, k=4, seed=2).report(table).html
    secrets = [value for name in ("who", "secret", "sum") for value in table.column(name).to_pylist()]
    assert [value for value in secrets if any(way in page for way in written(value))] == []


def test_a_public_report_leaves_the_digest_out(internal, public, release):
    """Whoever knew all of the input but one value could try values until it is right."""
    digest = release.recipe["input"]["sha256"]
    assert digest in internal.html
    assert digest not in public.html


def test_hostile_names_and_values_stay_text():
    """Names and values that are markup are shown as they are written."""
    table, release = HARD["hostile"]()
    for report in (release.report(table), release.report()):
        page = check_page(report)
        assert "<script>alert('1')</script>" in page.text
        assert "\u202e" not in report.html
        assert "\u0007" not in report.html


def test_the_figures_are_those_of_the_measures(table, release, internal):
    """Linkage and diversity on the page are what their functions say."""
    words = Reader(internal.html).text
    linked = covey.linkage(table, release.table, people_schema(), rows=release.rows)
    assert f"{100 * linked.share:.2f}\u00a0%" in words
    (income, illness) = covey.diversity(release.table, people_schema())
    for found in (income, illness):
        assert f"{found.homogeneous_cells:,} of {found.cells:,}" in words


def test_records_must_correspond(table, release):
    """An original in another order, of another size or with other columns is refused."""
    shuffled = table.take(list(range(30, 60)) + list(range(30)))
    with pytest.raises(InvalidInput, match=r"do not correspond: column 'income'.* differs in"):
        release.report(shuffled)
    with pytest.raises(InvalidInput, match="has 59 records, but that of the recipe had 60"):
        release.report(table.slice(1))
    with pytest.raises(InvalidInput, match="lacks column 'age'"):
        release.report(table.drop_columns("age"))
    with pytest.raises(InvalidInput, match="expected a pandas or polars data frame"):
        release.report([1, 2])


def test_another_original_is_noted(table, release):
    """One that only differs in its identifiers makes a report that doubts it."""
    other = table.set_column(0, "name", pa.array(["?"] * 60))
    assert "its digest differs" in release.report(other).html
    assert "its digest differs" not in release.report(table).html


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda table: table.slice(1), "tells of 60 records, and there are 59"),
        (lambda table: table.drop_columns("age"), "lacks column 'age'"),
        (lambda table: table.append_column("more", table.column("age")), "has column 'more' besides"),
        (
            lambda table: table.set_column(0, "age", people().column("age")),
            "smallest cell is told to have 4 records, and counted it has 1",
        ),
    ],
)
def test_the_recipe_must_be_of_the_release(release, change, sentence):
    """A table with other columns, records or cells is refused."""
    with pytest.raises(InvalidInput, match=sentence):
        make_report(change(release.table), release.to_dict())


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"recipe": {}, "statement": {}, "measures": {}, "notes": []}, {"schema": []}],
)
def test_a_document_must_be_one_of_ours(release, document):
    """JSON that is not a recipe is refused, and told what it lacks."""
    with pytest.raises(InvalidInput, match="not one that covey anonymize --recipe wrote: it lacks"):
        make_report(release.table, document)


@pytest.mark.parametrize("schema", [[], [{}], [{"name": "age", "role": "quasi"}]])
def test_a_recipe_must_tell_a_schema(release, schema):
    """Without one there are no roles."""
    document = json.loads(release.to_json())
    document["recipe"]["schema"] = schema
    with pytest.raises(InvalidInput, match="tells no schema"):
        make_report(release.table, document)


def test_the_scatter_is_of_two_quasi_identifiers(table, release):
    """By name, of any kind; others are refused."""
    drawn = Reader(release.report(table, scatter=("sex", "age")).html)
    labels = [given["aria-label"] for given in drawn.all("svg") if given.get("aria-label")]
    assert any("by sex (across) and age (upward)" in str(label) for label in labels)
    for wrong in (("age",), ("age", "age"), ("age", "income"), "age", ("age", "sex", "school")):
        with pytest.raises(InvalidInput, match="scatter"):
            release.report(table, scatter=wrong)


def test_a_sweep_is_drawn_in_internal_reports_only(table, release):
    """A curve for each k; it is computed from the original, so a public report refuses it."""
    sweep = covey.tradeoff(table, people_schema(), k=[2, 5], lambdas=[0.0, 0.5, 1.0])
    page = check_page(release.report(table, tradeoff=sweep))
    assert any("k = 2: from" in str(given.get("aria-label")) for given in page.all("svg"))
    assert "k = 5, λ = 0.5" in page.text
    for options in ({"original": table, "public": True}, {}):
        with pytest.raises(InvalidInput, match="for an internal report only"):
            release.report(**options, tradeoff=sweep)


def test_public_is_yes_or_no(release):
    """Anything else is refused."""
    with pytest.raises(InvalidInput, match="public must be True or False"):
        release.report(public="yes")


def test_what_is_wrong_stands_out():
    """Cells of one confidential value are told at the top."""
    table = pa.table({"q": [1.0, 1.1, 5.0, 5.1] * 5, "s": ["x", "x", "y", "y"] * 5})
    release = covey.anonymize(table, Schema.of(["q"], confidential=["s"]), k=10, seed=1)
    summary = release.report(table).html.partition('id="recipe"')[0]
    assert "in 2 cells of 2 all records share one value" in summary


def test_notebooks_show_the_page_in_a_frame(internal):
    """Its style does not touch the notebook's."""
    frame = Reader(internal._repr_html_())
    assert frame.faults == []
    assert [given["srcdoc"] for given in frame.all("iframe")] == [internal.html]


def test_a_report_is_told_in_one_line(internal, public):
    """Not by its page."""
    assert re.fullmatch(r"Report\(internal, [\d,]+ bytes\)", repr(internal))
    assert re.fullmatch(r"Report\(public, [\d,]+ bytes\)", repr(public))


def test_reports_are_repeatable(table, release, internal):
    """The same release makes the same page."""
    assert release.report(table) == internal


def test_the_command_to_repeat_is_one(release, table, tmp_path):
    """The schema and the options of the last section make the same cells."""
    text = release.report(table).html
    command = re.search(r"covey anonymize DATA[^<]*", text)
    assert command
    assert command[0] == (
        "covey anonymize DATA --schema schema.toml -k 4 --method mdav --tail split --ordinal-average median"
        " -o release.csv"
    )
    toml = Reader(text.partition("The schema as TOML")[2]).words
    again = covey.anonymize(table, Schema.from_toml(next(word for word in toml if "[columns" in word)), k=4)
    assert sorted(again.labels) == sorted(release.labels)


def test_pandas_originals_pair_with_their_rows(table):
    """An index of any kind is no order of records."""
    frame = table.to_pandas().set_axis(pd.Index(range(600, 0, -10)), axis=0)
    release = covey.anonymize(frame, people_schema(), k=4, seed=1)
    assert release.report(frame).internal


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The way to each value within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for name, part in inner for place in places(part, (*path, name)))]


def changed(document: dict, path: tuple, value: object) -> dict:
    """A copy with another value in a place."""
    copy = json.loads(json.dumps(document))
    within = copy
    for name in path[:-1]:
        within = within[name]
    within[path[-1]] = value
    return copy


def test_no_document_is_too_strange(table):
    """Whatever stands in a place of the JSON, there is a page or a sentence that says why not."""
    release = covey.anonymize(table, people_schema(), k=4, seed=1, dependence=0.5)
    document = json.loads(release.to_json())
    pages = refusals = 0
    for path in places(document)[1:]:
        for value in (None, -1, 2.5, True, "<x>", [], [None], {}, {"a": 1}):
            try:
                page = make_report(release.table, changed(document, path, value)).html
            except InvalidInput:
                refusals += 1
            else:
                pages += 1
                assert "<x>" not in page
    assert pages > 100
    assert refusals > 400


def test_the_report_of_a_large_table_is_small(covey_data):
    """Pictures gather records: Adult's page is a few hundred kilobytes, and whole."""
    adult = read_table(covey_data / "adult.csv")
    quasi = ["age", "education_num", "hours_per_week", "sex", "race", "marital_status"]
    other = [name for name in adult.column_names if name not in (*quasi, "income", "occupation")]
    schema = Schema.of(quasi, confidential=["income", "occupation"], other=other, table=adult)
    report = covey.anonymize(adult, schema, k=10, seed=1).report(adult)
    check_page(report)
    assert len(report.html.encode()) < 300_000


def test_a_statement_is_counted_again(release):
    """Also where k holds for blocks of columns alone; one that does not hold is refused."""
    document = json.loads(release.to_json())
    document["statement"]["k"] = 5
    with pytest.raises(InvalidInput, match="the release is not 5-anonymous: its smallest cell has 4 records"):
        make_report(release.table, document)
    document["statement"]["holds_for"] = ["someone"]
    with pytest.raises(InvalidInput, match="holds for columns that the release has not"):
        make_report(release.table, document)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("measures", "distortion"), 10**400),
        (("measures", "distortion"), float("nan")),
        (("measures", "records"), 10**30),
        (("measures", "cells"), 3),
        (("measures", "columns", 0, "bias"), 10**400),
        (("recipe", "dependence"), {"lambda": 10**400}),
        (("recipe", "column_blocks"), [[None]]),
        (("recipe", "method"), {"name": "Refine", "base": {"name": []}}),
        (("recipe", "criteria"), [{"criterion": "magic", "column": "age"}]),
        (("statement", "holds_for"), [None]),
        (("statement", "holds_for"), [["age"], "sex"]),
    ],
)
def test_a_recipe_with_something_else_in_it_is_refused(release, place, value):
    """Numbers nobody can calculate with, and other values than those that were written, are refused in a sentence."""
    document = json.loads(release.to_json())
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(InvalidInput):
        make_report(release.table, document)


def test_figures_that_a_recipe_does_not_tell_are_dashes(release):
    """A column without bias and variance, as nominal ones are told, needs not say so."""
    document = json.loads(release.to_json())
    for column in document["measures"]["columns"]:
        column.pop("bias")
        column.pop("variance_ratio")
    check_page(make_report(release.table, document))


def test_labels_of_another_release_are_refused_by_what_was_lost():
    """Where no column is published as it is, records paired by other labels give themselves away by their D."""
    table = people().select(["age", "weight"])
    schema = Schema.of(quasi=["age", "weight"])
    one, other = (covey.anonymize(table, schema, k=4, seed=seed) for seed in (1, 2))
    document = json.loads(one.to_json())
    check_page(make_report(one.table, document, original=table, rows=one.rows))
    with pytest.raises(InvalidInput, match=r"do not correspond: column '(age|weight)' is told to have lost D"):
        make_report(one.table, document, original=table, rows=other.rows)
