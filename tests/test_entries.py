"""The tables of verbs, commands and tools: what a wrong line says."""

from pathlib import Path

import pytest

from commonplace import verbs
from commonplace.entries import Argument, Entry, argument, properties_of, read_entries
from commonplace.interfaces.cli.arguments import PROPERTIES
from commonplace.interfaces.cli.commands import EVERY, NOTES
from commonplace.interfaces.mcp.tools import tool

pytestmark = pytest.mark.one_engine("reads text files")
TABLE = """\
# a remark
[Find]

recall: find memories
  example: recall 'trains'
  query        what to look for [any number, shown as: text]
  --limit N    maximum [default: 8]
  --kind KIND  [repeatable]
"""


def table(tmp_path: Path, text: str = TABLE) -> dict[str, Entry]:
    file = tmp_path / "table.txt"
    file.write_text(text, "utf-8")
    return read_entries(str(file), NOTES)


def test_a_table_is_read(tmp_path: Path) -> None:
    entry = table(tmp_path)["recall"]
    assert (entry.group, entry.help, entry.notes) == ("Find", "find memories", {"example": "recall 'trains'"})
    assert [argument(line, entry, PROPERTIES) for line in entry.arguments] == [
        Argument(["query"], "what to look for", {"any number": "", "shown as": "text"}),
        Argument(["--limit"], "maximum", {"default": "8"}, "N"),
        Argument(["--kind"], "", {"repeatable": ""}, "KIND"),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        ("[default: 8]", "[defalt: 8]", r"table.txt, line 7: .*'defalt: 8' is not a property here; .*`default: …`"),
        ("[default: 8]", "[default]", r"table.txt, line 7: .*'default' is not a property here"),
        ("[repeatable]", "[repeatable: 2]", r"table.txt, line 8: .*'repeatable: 2' is not a property here"),
        ("--limit N    maximum", "--limit N maximum", r"table.txt, line 7: .*two spaces after the name"),
        ("  example:", "  exmple:", r"table.txt, line 5: .*expected `example: …`, `run: …`"),
        ("recall: find", "recall find", r"table.txt, line 4: .*expected `\[Group\]`, `name: what it is`"),
        ("recall: find", "  recall: find", r"table.txt, line 4: .*expected `\[Group\]`, `name: what it is`"),
        ("# a remark", "recall: twice", r"table.txt, line 4: .*recall is in the table already"),
    ],
)
def test_a_wrong_line_names_its_place_and_what_is_expected(
    tmp_path: Path, right: str, wrong: str, expected: str
) -> None:
    assert right in TABLE
    with pytest.raises(ValueError, match=expected):
        entry = table(tmp_path, TABLE.replace(right, wrong, 1))["recall"]
        assert [argument(line, entry, PROPERTIES) for line in entry.arguments]


def test_a_verb_says_what_a_token_needs(tmp_path: Path) -> None:
    file = tmp_path / "verbs.txt"
    file.write_text("get: GET /v1/memories/{id} [needs: read]\n", "utf-8")
    assert verbs._table(str(file))[0]["get"].scope == "read"
    file.write_text("get: GET /v1/memories/{id} [needs: rights]\n", "utf-8")
    with pytest.raises(ValueError, match=r"verbs.txt, line 1: .*expected `needs: read`, `needs: write` or"):
        verbs._table(str(file))


def test_every_line_of_the_tables_is_right() -> None:
    """Commands and tools are read when one is used; here all of them."""
    for entries, known, number in ((EVERY, PROPERTIES, 300), (tool.every(), tool.PROPERTIES, 100)):
        lines = [(line, entry) for entry in entries.values() for line in entry.arguments if not line.startswith("@")]
        assert len(lines) > number
        assert all(argument(line, entry, known).names for line, entry in lines)
    entry = EVERY["recall"]
    assert properties_of("Ties: [subject, object].", entry, ()) == ("Ties: [subject, object].", {})
