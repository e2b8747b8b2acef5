"""CSV and TSV: bytes to a table and a table to bytes."""

from __future__ import annotations

import datetime as dt
import io

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import InvalidInput
from covey.delimited import read_delimited, write_delimited


def read(data: bytes | str, kind: str = "csv", null: tuple[str, ...] = ("",)) -> pa.Table:
    return read_delimited(data.encode() if isinstance(data, str) else data, "the file", kind, null)


def written(table: pa.Table, kind: str = "csv") -> bytes:
    file = io.BytesIO()
    write_delimited(table, file, kind)
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"a,b\n1,x\n2,y\n",
        b"a,b\n1,x\n2,y",
        b"a,b\r\n1,x\r\n2,y\r\n",
        b"a,b\r1,x\r2,y\r",
        b"\xef\xbb\xbfa,b\n1,x\n2,y\n",
        b'\xef\xbb\xbf"a","b"\n"1","x"\n"2","y"\n',
        b"\na,b\n\n1,x\n\n2,y\n\n",
    ],
)
def test_ends_of_lines_marks_and_quotes(data: bytes) -> None:
    """Line ends, a byte-order mark, quotes and empty lines change nothing."""
    assert read(data).to_pydict() == {"a": [1, 2], "b": ["x", "y"]}


def test_quoted_fields_hold_anything() -> None:
    """Delimiters, quotes and line ends within quotes are part of the value, in the header too."""
    table = read('"a\nb",c\n"x,\r\n""y""",1\n')
    assert table.to_pydict() == {"a\nb": ['x,\r\n"y"'], "c": [1]}


def test_line_ends_within_quotes_in_large_files() -> None:
    """Quoted line ends do not break rows where a large file is read in blocks."""
    texts = [f"{i}\n" * 50 for i in range(15_000)]
    assert read(written(pa.table({"a": texts, "b": range(len(texts))})))["a"].to_pylist() == texts


def test_quotes_within_plain_fields_are_text() -> None:
    """A quote that does not open a field is a character like any other."""
    assert read('a,b\n5" pipe,2\n').to_pydict() == {"a": ['5" pipe'], "b": [2]}


@pytest.mark.parametrize("code", ["007", "-007", " 010", "00.5", "0x1F", "12345678901234567890", '"007"'])
def test_codes_stay_text(code: str) -> None:
    """Digits that are a code make their column text, exactly as the file has it."""
    table = read(f"a,b\n5,1\n{code},2\n")
    assert table["a"].to_pylist() == ["5", code.strip('"')]
    assert table["b"].to_pylist() == [1, 2]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("0", 0),
        ("0.5", 0.5),
        ("-999", -999),
        ("4611686018427387905", 2**62 + 1),
        ("-4611686018427387905", -(2**62) - 1),
        ("9223372036854775807", 2**63 - 1),
        ("1e300", 1e300),
        ("2020-02-29", dt.date(2020, 2, 29)),
        ("true", True),
        ("00:30:00", dt.time(0, 30)),
    ],
)
def test_numbers_and_dates_are_typed(field: str, value: object) -> None:
    """Numbers, dates, times and booleans have their types, whole numbers to the last digit."""
    assert read(f"a,b\n{field},1\n")["a"].to_pylist() == [value]


@pytest.mark.parametrize("field", ["1234567890123456", "123456789012345678", "-12345678901234567"])
def test_long_whole_numbers_among_fractions_stay_text(field: str) -> None:
    """A number that a float64 might not hold makes text of a column of fractions, published as it is written."""
    table = read(f"a,b\n{field},1\n1.10,2\n".encode())
    assert table["a"].to_pylist() == [field, "1.10"]
    assert table["b"].type == pa.int64()


def test_only_the_empty_field_is_missing() -> None:
    """An empty field is missing; an empty text in quotes is a text; NA, null and −999 are values."""
    table = read('a,b,c\n,NA,-999\n"",null,1\n')
    assert table.to_pydict() == {"a": [None, ""], "b": ["NA", "null"], "c": [-999, 1]}


def test_quoted_numbers_may_be_missing() -> None:
    """In a column of quoted numbers empty quotes are missing, for they are no number."""
    assert read('a,b\n"1","x"\n"","y"\n')["a"].to_pylist() == [1, None]


def test_other_fields_that_mean_missing() -> None:
    """Fields that the caller names mean missing, but not as texts in quotes."""
    table = read('a,b\nNA,NA\n1,"NA"\n', null=("", "NA"))
    assert table.to_pydict() == {"a": [None, 1], "b": [None, "NA"]}


def test_a_single_column_keeps_its_gaps() -> None:
    """In a single column an empty line is a missing value."""
    assert read("a\n1\n\n3\n").to_pydict() == {"a": [1, None, 3]}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b" \n\n", "is empty"),
        (b"a,b\n1,2,CANARYx7\n1\n1,2\n", "is ragged: expected 2 fields in every row, found another number in 2 rows"),
        (b"a,b\n1,2\n \n", "is ragged"),
        (b'a,b\n"CANARYx7,1\n2,3\n', "never closed"),
        (b'a,b\n"CANARYx7,1\n"y,2\n', "text after its closing quote"),
        (b'a,b\n"x"y,1\n', "text after its closing quote"),
        (b'a,b\n"x"y,1', "text after its closing quote"),
        (b'a,b\n"' + b"x" * 200_000 + b'",1\n', "longer than 131072"),
        (b"x" * 200_000 + b",b\n1,2\n", "longer than 131072"),
        (b"a;b\n1;2\n", "separated by semicolons"),
        (b'"a";"b"\n"1,5";"2"\n', "separated by semicolons"),
        (b"a\tb\n1\t2\n", "separated by tabs"),
        (b"a,a,b,b\n1,2,3,4\n", "more than one column named 'a', 'b'"),
        (b"a,,c\n1,2,3\n", "column 2 has no name"),
        (b"a,b\nx\xe9,1\n", "not UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "not UTF-8"),
        (b"a,b\n\0,1\n", "not UTF-8"),
        (b"a,b\n1," + "é".encode()[:1], "not UTF-8"),
    ],
)
def test_what_is_no_table_is_refused(data: bytes, sentence: str) -> None:
    """Bytes that are no table are refused in one sentence that quotes none of them."""
    with pytest.raises(InvalidInput, match=sentence) as caught:
        read(data)
    assert str(caught.value).startswith("the file")
    assert "CANARY" not in str(caught.value)
    assert caught.value.__context__ is None


def test_commas_are_no_tabs() -> None:
    """A file with commas under the name of one with tabs is refused rather than read as one column."""
    with pytest.raises(InvalidInput, match="separated by commas"):
        read("a,b\n1,2\n", "tsv")


def test_a_column_may_be_named_like_a_list() -> None:
    """A single name in quotes is one column, whatever it holds."""
    assert read('"a;b,c"\n1\n').column_names == ["a;b,c"]


TEXTS = st.none() | st.text(st.sampled_from("xy,;\t\"'\n\r é\ufeff\u2028😀|"), max_size=6)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6), st.sampled_from(["csv", "tsv"]))
def test_texts_come_back(rows: list[tuple[str | None, str | None]], kind: str) -> None:
    """What is written is what is read: delimiters, quotes, line ends, empty texts apart from missing ones."""
    names = ["first", 'second, "2"\tand\nmore']
    columns = [pa.array([row[j] for row in rows], pa.string()) for j in range(2)]
    again = read(written(pa.table(columns, names=names), kind), kind)
    assert again.column_names == names
    assert [column.to_pylist() for column in again.columns] == [column.to_pylist() for column in columns]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, None, -(2**63)]),
        pa.array([0.1, None, 1e300]),
        pa.array([True, None, False]),
        pa.array([0, None, 18_000], pa.int32()).cast(pa.date32()),
        pa.array([0, None, 10**15 + 1], pa.timestamp("us")),
        pa.array([0, None, 10**15 + 1], pa.timestamp("us", "Europe/Madrid")),
        pa.array(["x", None, ""], pa.string_view()),
        pa.array(["x", None, ""], pa.large_string()),
        pa.array(["x,", None, ""]).dictionary_encode(),
    ],
    ids=lambda array: str(array.type),
)
def test_values_of_many_types_come_back(array: pa.Array) -> None:
    """Numbers, booleans, dates, times and texts of any kind are read as they were written."""
    assert read(written(pa.table({"a": array, "b": [1, 2, 3]})))["a"].to_pylist() == array.to_pylist()
