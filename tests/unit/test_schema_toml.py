"""A schema as TOML text and back."""

from __future__ import annotations

import string
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import Column, InvalidInput, Kind, Role, Schema

NAMES = st.text(
    st.one_of(st.sampled_from("\"'\\\n\r\t\0\x1f\x7f.#=[]{} é\u2028😀"), st.characters(exclude_categories=["Cs"]))
)
NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
CATEGORIES = st.one_of(st.lists(NAMES), st.lists(NUMBERS), st.lists(st.booleans())).map(
    lambda categories: tuple(dict.fromkeys(categories))
)


@st.composite
def columns(draw: st.DrawFn, name: str) -> Column:
    kind = draw(st.sampled_from(Kind))
    continuous = kind is Kind.CONTINUOUS
    decimals = draw(st.none() | st.integers(0, 15)) if continuous else None
    categories = () if continuous else draw(CATEGORIES)
    return Column(name, draw(st.sampled_from(Role)), kind, categories, decimals)


SCHEMAS = st.lists(NAMES, unique=True, min_size=1, max_size=5).flatmap(
    lambda names: st.tuples(*map(columns, names)).map(Schema)
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(SCHEMAS)
def test_round_trip(schema: Schema) -> None:
    """Whatever the names and categories hold, a schema reads back as it was, types of categories included."""
    again = Schema.from_toml(schema.to_toml())
    assert again == schema
    kinds = [[type(category) for category in column.categories] for column in schema.columns]
    assert [[type(category) for category in column.categories] for column in again.columns] == kinds


def schema_or_refusal(text: str) -> Schema | InvalidInput:
    try:
        return Schema.from_toml(text)
    except InvalidInput as error:
        return error


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(string.ascii_letters + string.digits + "[]{}\"'=,.\n #_-\\\0é", max_size=60))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    """Text that is no schema raises InvalidInput and nothing else."""
    found = schema_or_refusal(text)
    if isinstance(found, Schema):
        assert found.columns
    else:
        assert len(str(found).splitlines()) == 1
        assert (found.__cause__, found.__context__) == (None, None)


def test_to_toml_is_valid_and_explains_itself() -> None:
    """The text is plain TOML with a comment for whoever edits it."""
    text = Schema.of(["a.b"], ordinal={"a.b": ["lo", "hi"]}).to_toml()
    assert text.startswith("#")
    assert tomllib.loads(text) == {"columns": {"a.b": {"role": "quasi", "kind": "ordinal", "categories": ["lo", "hi"]}}}


def test_the_kind_of_an_identifier_may_be_left_out() -> None:
    """An identifier is dropped, so its kind does not matter."""
    assert Schema.from_toml('[columns.name]\nrole = "identifier"')["name"].role is Role.IDENTIFIER


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "describes no column"),
        ("[columns]", "describes no column"),
        ("columns = 3", "describes no column"),
        ("a = 1\nb = 2", "2 unknown keys outside"),
        ("name,age\nx,1", "not valid TOML: look at line 1"),
        ('[columns.a]\nrole = "quasi', "not valid TOML"),
        ('[columns.a]\nrole = "quasi"\n[columns.a]\n', "written twice"),
        ("[columns]\na = 1", "column 'a' must be a table"),
        ('[columns.a]\nkind = "nominal"', "column 'a' has no role"),
        ('[columns.a]\nrole = "quasi"', "column 'a' has no kind"),
        ('[columns.a]\nrole = "quasy"\nkind = "nominal"', "unknown role of column 'a'"),
        ('[columns.a]\nrole = "quasi"\nkind = "nominal"\ndecimal = 2', "column 'a' has the unknown keys 'decimal'"),
        ('[columns.a]\nrole = "quasi"\nkind = "nominal"\ncategories = "x"', "categories of column 'a' must be a list"),
        ('[columns.a]\nrole = "quasi"\nkind = "nominal"\ncategories = [1979-05-27]', "1 of the categories"),
        ("a = " + "[" * 5000, "not valid TOML"),
        ("a = " + "9" * 5000, "not valid TOML"),
    ],
)
def test_bad_texts_are_refused(text: str, sentence: str) -> None:
    """A text that describes no schema is refused in one sentence."""
    with pytest.raises(InvalidInput, match=sentence.replace("[", r"\[")):
        Schema.from_toml(text)


def test_lone_surrogates_are_refused() -> None:
    """A name that no file can hold is refused when it is written."""
    with pytest.raises(InvalidInput, match="lone surrogate"):
        Schema((Column("\ud800", "quasi", "nominal"),)).to_toml()
