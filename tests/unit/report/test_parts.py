"""What pages and pictures are made of."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import InvalidInput
from covey.report import page, plots, scatter
from covey.report.checks import differing, rows_of_labels
from covey.report.columns import Categories, Numbers, numbers, said, shown
from covey.report.svg import Axis, short
from covey.schema import Column
from tests.unit.report.pages import Reader

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_becomes_markup(inside, attribute):
    """Whatever a text holds, an element has one child, which is text."""
    read = Reader(page.element("p", inside, title=attribute))
    assert read.faults == []
    assert [tag for tag, _ in read.elements] == ["p"]
    read.words.append("")
    assert "".join(read.words) == page.FORBIDDEN.sub("\ufffd", inside)
    assert read.all("p")[0]["title"] == page.FORBIDDEN.sub("\ufffd", attribute)


def test_markup_is_not_escaped_twice():
    """Elements go into elements; attributes never hold markup."""
    inner = page.element("b", "1 < 2")
    assert page.element("p", inner, "&", title=inner) == (
        '<p title="&lt;b&gt;1 &amp;lt; 2&lt;/b&gt;"><b>1 &lt; 2</b>&amp;</p>'
    )
    assert page.element("br", class_="x", hidden=True, id=None) == '<br class="x" hidden>'


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "0.0\u00a0%"),
        (0.123, "12.3\u00a0%"),
        (1.0, "100.0\u00a0%"),
        (1e-9, "< 0.1\u00a0%"),
        (-0.5, "−50.0\u00a0%"),
    ],
)
def test_percentages(share, words):
    """What is small but not none is not written as none."""
    assert page.percent(share) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0.0, "0"),
        (1234.5, "1,234"),
        (-2.5, "−2.5"),
        (1e300, "1e+300"),
        (None, "–"),
        (float("nan"), "–"),
        (0.00123, "0.00123"),
    ],
)
def test_figures(number, words):
    """A few significant digits, and thousands apart."""
    assert page.figure(number) == words


def test_counts_and_names_in_sentences():
    """One and many."""
    assert page.count(1, "record") == "1 record"
    assert page.count(2000, "category", "categories") == "2,000 categories"
    assert "".join(Reader(page.names(["a", "b", "c"])).words) == "a, b and c"
    assert "".join(Reader(page.names(["a"])).words) == "a"
    assert "and 3 more" in page.names("abcde", 2)


@given(FINITE, FINITE, st.lists(FINITE, min_size=1))
def test_places_are_on_the_axis(low, high, values):
    """Also of the greatest numbers there are."""
    axis = Axis(*sorted((low, high)), 10.0, 90.0)
    places = axis.place(np.array(values))
    assert ((places >= 10) & (places <= 90)).all()


@given(FINITE, FINITE)
def test_ticks_are_few_and_within(low, high):
    """Ascending, at least one."""
    low, high = sorted((low, high))
    ticks = Axis(low, high, 0.0, 1.0).ticks()
    assert 1 <= len(ticks) <= 9
    assert ticks == sorted(ticks)
    assert all(low <= tick <= high for tick in ticks)


def test_ticks_are_round():
    """As people count."""
    assert Axis(0.0, 10.0, 0, 1).ticks(5) == [0, 2, 4, 6, 8, 10]
    assert Axis(17.0, 90.0, 0, 1).ticks() == [20, 40, 60, 80]


def test_coordinates_are_short():
    """One decimal at most."""
    assert [short(x) for x in (1.0, 1.27, -0.04, 12.96, -3.0)] == ["1", "1.3", "0", "13", "-3"]


@pytest.mark.parametrize(
    ("array", "first", "time"),
    [
        (pa.array([1, None]), 1.0, ""),
        (pa.array([1.5, float("nan")]), 1.5, ""),
        (pa.array([dt.date(1970, 1, 2), None]), 86_400.0, "date"),
        (pa.array([86_400_000_000, None], pa.timestamp("us")), 86_400.0, "date"),
        (pa.array([dt.time(1, 0), None], pa.time32("s")), 3600.0, "clock"),
        (pa.array([dt.timedelta(hours=1), None]), 3600.0, ""),
    ],
)
def test_values_as_numbers(array, first, time):
    """Times in seconds; what is missing or not finite is NaN."""
    values, found = numbers(array)
    assert found == time
    np.testing.assert_array_equal(values, [first, np.nan])


@pytest.mark.parametrize(
    "array", [pa.array(["a"]), pa.array([True]), pa.array([[1]]), pa.array(["a"]).dictionary_encode()]
)
def test_other_values_are_no_numbers(array):
    """Texts, booleans, lists and categories."""
    assert numbers(array) == (None, "")


def test_times_in_words():
    """Days and hours, as a clock tells them."""
    assert said(86_400.0, "date") == "1970-01-02"
    assert said(3660.0, "clock") == "01:01"


def chunked(values: object, kind: pa.DataType | None = None) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, kind)])


def test_categories_are_in_their_order():
    """That of the schema, and else sorted; −1 where missing; only those that occur."""
    column = Column("school", "quasi", "ordinal", ("low", "mid", "high", "none"))
    found = shown(column, chunked(["mid", None]), chunked(["high", "low"]))
    assert isinstance(found, Categories)
    assert found.levels == ("low", "mid", "high")
    assert (found.after.tolist(), found.before.tolist()) == ([1, -1], [2, 0])
    assert found.counts(found.after).tolist() == [0, 1, 0]
    plain = shown(Column("n", "quasi", "nominal"), chunked([10, 9, 2]), None)
    assert plain.levels == ("2", "9", "10")
    assert plain.before is None


def test_histograms_say_what_they_show():
    """Range, medians and the share of the tallest bar."""
    column = Numbers(Column("age", "quasi", "continuous"), "", np.array([1.0, 1, 1, 4]), np.array([0.0, 1, 2, 4]))
    drawn = Reader(plots.distribution(column))
    (label,) = [str(given["aria-label"]) for given in drawn.all("svg")]
    assert label.startswith("Histogram of age from 0 to 4. Published: median 1, middle half from 1 to 1; original: ")
    assert "tallest bar 75.0\u00a0%" in drawn.text


def test_long_tails_are_gathered_in_the_last_bar():
    """And the axis says so."""
    values = np.array([*np.arange(400.0), 1e9])
    drawn = Reader(plots.distribution(Numbers(Column("x", "quasi", "continuous"), "", values, None)))
    assert "≥ 398" in drawn.text


def test_bars_name_the_most_frequent_categories():
    """And gather the others."""
    codes = np.repeat(np.arange(12), np.arange(12, 0, -1))
    column = Categories(Column("town", "quasi", "nominal"), tuple(f"town {i}" for i in range(12)), codes, codes)
    drawn = Reader(plots.distribution(column))
    assert "5 other categories" in drawn.text
    assert "town 0 15.4\u00a0% (was 15.4\u00a0%)" in drawn.text


@given(st.integers(1, 400), st.integers(0, 60))
def test_whole_cells_are_drawn(n, most):
    """At most so many records, and all of a cell or none, unless one cell is too large."""
    cells = np.arange(n) // 4
    rows = scatter.drawn_records(cells, np.ones(n, dtype=bool), most)
    assert len(rows) <= max(most, 0)
    if most >= 4:
        sizes = np.bincount(cells[rows], minlength=cells.max() + 1)
        assert set(sizes) <= {0, *np.bincount(cells)}


def test_differences_of_columns():
    """Numbers by value, texts by letter, and what cannot be compared not at all."""
    assert differing(pa.array([1, 2, None]), pa.array([1.0, 2.0000000001, None])) == 0
    assert differing(pa.array([1, 2, None]), pa.array([1.0, 3.0, 4.0])) == 2
    assert differing(pa.array(["a", None, None]), pa.array(["a", None, "b"]).dictionary_encode()) == 1
    assert differing(pa.array([True]), pa.array(["true"])) == 0
    assert differing(pa.array([[1]]), pa.array([[2]])) == 0


def test_rows_of_labels():
    """The record of each place; −1 was withheld."""
    assert rows_of_labels(pa.table({"cell": [0, -1, 0], "row": [1, -1, 0]}), 2).tolist() == [2, 0]


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ({"cell": [0, 0]}, "no column 'row'"),
        ({"row": ["a", "b"]}, "must hold whole numbers"),
        ({"row": [0, None]}, "must hold whole numbers"),
        ({"row": [0, 0]}, "not each in a place of its own"),
        ({"row": [0, 2]}, "not each in a place of its own"),
        ({"row": [0, -1]}, "place 1 records in a release of 2"),
    ],
)
def test_labels_must_be_of_the_release(labels, sentence):
    """Other files are refused."""
    with pytest.raises(InvalidInput, match=sentence):
        rows_of_labels(pa.table(labels), 2)
