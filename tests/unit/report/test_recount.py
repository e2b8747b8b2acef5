"""What a recipe says beyond k is counted again by the report, and how to ask for it again is said."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path

import pyarrow as pa
import pytest

import covey
from covey import Close, Diverse, InvalidInput
from covey.cli import cli
from covey.io import read_table, write_table
from covey.process import run
from covey.report import make_report
from tests.unit.report.pages import Reader, people, people_schema
from tests.unit.report.test_report import check_page


@pytest.fixture(scope="module")
def release():
    asked = {
        "p_sensitive": {"illness": 2},
        "l_diverse": {"illness": Diverse(1.5, "entropy")},
        "t_close": {"income": 0.4},
    }
    return covey.anonymize(people(), people_schema(), k=4, seed=1, **asked)


def document_of(release):
    return json.loads(release.to_json())


def test_criteria_are_counted_again_and_shown(release):
    """What was asked for beyond k is on the page, with what the released table attains."""
    page = check_page(make_report(release.table, document_of(release)))
    words = "".join(page.words)
    for one in release.statement["also"]:
        assert one["says"] in words
    assert "p-sensitivity of illness: 2 asked, 2 attained" in words
    assert "and so were the criteria beyond k" in words
    assert (
        "p-sensitivity with p=2 of illness; entropy l-diversity with l=1.5 of illness; t-closeness with t=0.4" in words
    )


def test_what_the_release_does_not_attain_is_refused(release):
    """A criterion that the table does not meet is refused as loudly as a k that it does not have."""
    document = document_of(release)
    document["statement"]["also"][0]["p"] = 4
    with pytest.raises(
        InvalidInput, match=r"does not hold p-sensitivity with p=4 of column 'illness': \d+ of its cells"
    ):
        make_report(release.table, document)
    document = document_of(release)
    document["statement"]["also"][2]["attained"] = 0.01
    with pytest.raises(InvalidInput, match=r"told to attain 0\.01 of t-closeness of column 'income', and counted"):
        make_report(release.table, document)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"criterion": 3}, {"criterion": "magic"}, {"column": "age"}, {"column": "nobody"}, {"attained": None}),
        *({"p": "2"}, {"attained": float("nan")}, {"attained": True}),
    ],
)
def test_criteria_that_are_none_are_refused(release, wrong):
    """Whatever else stands among the criteria is refused in a sentence."""
    document = document_of(release)
    document["statement"]["also"][0] |= wrong
    with pytest.raises(InvalidInput, match="something else among the criteria"):
        make_report(release.table, document)


def test_the_guarantee_is_said_in_words_of_what_was_counted(release):
    """Words that somebody wrote into the recipe are not repeated as a guarantee."""
    document = document_of(release)
    document["statement"] |= {"says": "Perfectly safe.", "assumes": ["nothing"], "does_not_protect_against": []}
    document["statement"]["also"][0]["says"] = "Safe beyond doubt."
    words = "".join(check_page(make_report(release.table, document)).words)
    assert release.statement["says"] in words
    assert all(said in words for said in release.statement["does_not_protect_against"])
    assert not re.search("Perfectly safe|beyond doubt", words)


def test_a_criterion_narrows_what_is_not_protected(release):
    """Where cells must have two values, it is not said that all their records may share one; elsewhere it is."""
    unprotected = " ".join(release.statement["does_not_protect_against"])
    assert "attribute disclosure beyond the criteria asked for" in unprotected
    assert "may share a confidential value too" not in unprotected


def test_an_order_that_the_recipe_does_not_tell_is_not_counted_by(tmp_path):
    """The order of a confidential column's categories is not in the recipe: the page says that it was not counted."""
    table = people().append_column("grade", pa.array(["A", "B", "C"] * 20))
    schema = covey.Schema(
        (
            *people_schema().columns,
            *covey.Schema.of(["x"], confidential=["grade"], ordinal={"grade": list("CAB")}).confidential,
        )
    )
    release = covey.anonymize(table, schema, k=4, seed=1, t_close={"grade": 0.3}, p_sensitive={"grade": 2})
    words = "".join(check_page(release.report()).words)
    assert "1 of 2 criteria beyond k, too, but not where the order of categories matters" in words
    assert "The recipe does not tell the order of the categories of grade" in words
    assert "in Python, add p_sensitive={'grade': covey.PSensitive(p=2)}" in words


def test_values_survive_a_text_format(tmp_path):
    """Empty texts, missing ones, strange numbers and long fractions are counted alike on what CSV brought back."""
    columns = {
        "age": [float(i) for i in range(40)],
        "a": ["", None, "NA", "x"] * 10,
        "b": [1 / 3, None, 1e-300, -0.0] * 10,
    }
    table = pa.table(columns)
    schema = covey.Schema.of(["age"], confidential=["a", "b"], continuous=["b"])
    release = covey.anonymize(table, schema, k=4, p_sensitive=2, l_diverse=Diverse(2, "entropy"), seed=1)
    for suffix in ("csv", "parquet"):
        write_table(release.table, str(tmp_path / f"r.{suffix}"))
        again = make_report(read_table(str(tmp_path / f"r.{suffix}")), document_of(release))
        assert again.html == release.report().html


AGAIN = {
    "plain": [],
    "p": ["--p-sensitive", "3"],
    "entropy": ["--l-diverse", "1.7", "--l-kind", "entropy"],
    "recursive": ["--l-diverse", "2", "--l-kind", "recursive", "--l-constant", "3"],
    "close": ["--t-close", "0.3"],
    "first": ["--t-close", "0.3", "--t-first"],
    "all": ["--p-sensitive", "2", "--t-close", "0.3", "--dependence", "0.2", "--strata", "sex"],
    "column blocks": ["--column-blocks", "2", "--guarantee", "per-block"],
    "refined": ["--refine-steps", "9", "--refine-seed", "4", "--blocks", "30"],
    "rescaled": ["--preserve-variance", "--keep-order", "--decimals", "age=2"],
}


@pytest.mark.parametrize("options", AGAIN.values(), ids=AGAIN)
def test_the_command_makes_the_release_again(options, tmp_path, monkeypatch):
    """The command and the schema that a report shows, run on the same input, give the same records."""
    monkeypatch.chdir(tmp_path)
    write_table(people(), "DATA.csv")
    columns = ["--quasi", "age,weight,sex,school", "--identifier", "name", "--confidential", "income", "-k", "4"]
    columns += ["--other", "illness,sample", "--ordinal", "school=low,mid,high", "--nominal", "sex"]
    made = ["anonymize", "DATA.csv", *columns, *options, "-q", "-o", "made.csv", "--recipe", "made.json"]
    assert run(cli, made) == 0
    assert run(cli, ["report", "made.csv", "--recipe", "made.json", "-o", "made.html"]) == 0
    page = Path("made.html").read_text()
    codes = [html.unescape(found) for found in re.findall("<code>(.*?)</code>", page, re.DOTALL)]
    Path("schema.toml").write_text(next(code for code in codes if "[columns.age]" in code))
    command = next(code for code in codes if code.startswith("covey anonymize"))
    words = [{"DATA": "DATA.csv"}.get(word, word) for word in shlex.split(command)[1:]]
    assert run(cli, [*words, "-q"]) == 0
    assert sorted(Path("release.csv").read_text().splitlines()) == sorted(Path("made.csv").read_text().splitlines())
    assert "to be added" not in page


def test_cells_by_the_clock_are_not_promised_again():
    """A refinement for some seconds need not end alike, and the page does not say so."""
    table = people().select(["age", "weight"])
    schema = covey.Schema.of(quasi=["age", "weight"])
    release = covey.anonymize(table, schema, method=covey.Refine(covey.MDAV(k=4), seconds=0.01))
    words = "".join(Reader(release.report().html).words)
    assert "not always the same" in words
    assert "come out the same" not in words


def test_criteria_of_some_columns_are_said_in_python(release):
    """What the command line cannot say is said in Python, and means the same."""
    words = "".join(Reader(release.report().html).words)
    said = re.search(r"in Python, add (.*) to the others", words)
    assert said
    asked = eval(f"dict({said[1]})", {"covey": covey})
    assert asked["t_close"] == {"income": Close(0.4)}
    again = covey.anonymize(people(), people_schema(), k=4, seed=1, **asked)
    assert again.table.equals(release.table)


def test_long_names_do_not_fill_the_page():
    """A name of thousands of letters is shortened in the sentences on criteria, too."""
    long = "z" * 5000
    table = pa.table({"age": [float(i) for i in range(40)], long: list("abcd") * 10})
    release = covey.anonymize(table, covey.Schema.of(["age"], confidential=[long]), 4, p_sensitive=2, seed=1)
    seen = "".join(Reader(release.report().html).words)
    assert release.report().html.count(long) <= 3  # recipe, schema and command
    assert "different values of zzz" in seen
