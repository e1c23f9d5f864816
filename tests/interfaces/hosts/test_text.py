"""Edits of other people's settings: what is not ours keeps every byte."""

import json

import pytest

from commonplace.errors import Invalid
from commonplace.interfaces.hosts import jsontext, tomltext

ODD = """{
    // a comment, as some hosts allow
    "permissions": {"allow": ["Bash(ls)"]},   /* and another */
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say \\"done\\""}]}
        ]
    }
}
"""


def test_an_element_is_added_and_the_rest_stays():
    text = jsontext.with_element(ODD, ("hooks", "Stop"), {"x": 1})
    node = jsontext.parse(text).find("hooks", "Stop")
    assert node is not None
    assert jsontext.value_of(text, node)[1] == {"x": 1}
    for line in ODD.splitlines():
        assert line.rstrip(",") in text
    assert jsontext.without(text, ("hooks", "Stop"), 1) == ODD


def test_members_are_made_with_everything_on_the_way():
    text = jsontext.with_member("", ("a", "b", "c"), [1])
    assert json.loads(text) == {"a": {"b": {"c": [1]}}}
    again = jsontext.with_member(text, ("a", "d"), True)
    assert json.loads(again) == {"a": {"b": {"c": [1]}, "d": True}}
    assert json.loads(jsontext.without(again, ("a", "b"))) == {"a": {"d": True}}
    assert jsontext.without(again, ("a", "d")) == text


def test_tabs_and_flat_files_keep_their_look():
    tabs = '{\n\t"a": 1\n}\n'
    assert jsontext.with_member(tabs, ("b",), {"c": 2}) == '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'
    assert jsontext.with_element('{"a": [1]}', ("a",), 2) == '{"a": [1, 2]}'


@pytest.mark.parametrize("broken", ['{"a": }', "{", '{"a" 1}', "[1 2]", '{"a": 1} x', "nonsense"])
def test_what_is_not_json_is_refused_and_not_repaired(broken: str):
    with pytest.raises(Invalid):
        jsontext.with_member(broken, ("b",), 1)


def test_a_block_of_toml_goes_in_and_out():
    for text in ("", "a = 1", "a = 1\n", "# mine\n[mcp_servers.other]\ncommand = 'x'\n"):
        made = tomltext.with_block(text, "[mcp_servers.commonplace]\ncommand = 'y'", table="mcp_servers.commonplace")
        assert "command = 'y'" in made
        assert tomltext.with_block(made, "[mcp_servers.commonplace]\ncommand = 'y'", table="x") == made
        assert tomltext.without_block(made).rstrip("\n") == text.rstrip("\n")


def test_somebody_elses_table_of_our_name_is_left_alone():
    theirs = "[mcp_servers.commonplace]\ncommand = 'mine'\n"
    assert tomltext.with_block(theirs, "[mcp_servers.commonplace]", table="mcp_servers.commonplace") == theirs
