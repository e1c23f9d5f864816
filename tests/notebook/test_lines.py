"""What Markdown says, block by block."""

from datetime import date

import pytest

from commonplace.notebook.lines import blocks, decision_table

BY_HAND = {
    "Decision | Date | Rationale\n---|---|---\nUse Go | 2026-01-02 | fast": "| Use S3 | 2026-01-05 | cheap |",
    "| **Date** | **What we decided** | Because |\n|:-:|-|-:|\n| 2 Jan | Use Go | fast |": (
        "| 2026-01-05 | Use S3 | cheap |"
    ),
    "| # | Date decided | Choice | State | Why |\n|-|-|-|-|-|\n| 1 | 2 Jan | Use Go | ok | fast |": (
        "|  | 2026-01-05 | Use S3 |  | cheap |"
    ),
}

PAGE = """\
# MEMORY

A paragraph that
goes on.

## Decisions

| Date | Decision | Rationale |
|---|---|---|
| 2026-05-01 | keep SQLite | because it is one file |

## Notes

- [ ] open item
- [x] done item
- 2026-05-01 09:30 decision: with a time
  and a second line
  - and a nested point
1. numbered
<!-- a comment
that ends here -->
```python
- not a line
```
* starred
"""


def test_paragraphs_rows_items_and_stamped_lines_are_told_apart():
    found = blocks(PAGE)
    assert [one.text for one in found] == [
        "A paragraph that goes on.",
        "keep SQLite",
        "open item",
        "done item",
        "with a time and a second line - and a nested point",
        "numbered",
        "starred",
    ]
    row, opened, done, stamped = found[1:5]
    assert (row.day, row.kind, row.section) == (date(2026, 5, 1), "decision", "Decisions")
    assert row.says("keep SQLite because it is one file")
    assert (opened.done, done.done) == (False, True)
    assert (stamped.kind, stamped.time, stamped.stamped) == ("decision", "09:30", True)
    assert (stamped.line, stamped.last) == (16, 18)


def test_the_marks_of_a_merge_say_nothing():
    text = "- one\n<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> branch\n"
    assert [one.text for one in blocks(text)] == ["one", "mine", "theirs"]


@pytest.mark.parametrize(("table", "row"), BY_HAND.items())
def test_a_table_is_a_decision_table_however_it_is_written(table: str, row: str):
    text = f"# Ours\n\n## Anything\n\n{table}\n\nAfter it.\n"
    standing = [block for block in blocks(text) if block.kind == "decision"]
    assert [(block.text, block.reason) for block in standing] == [("Use Go", "fast")]
    found = decision_table(text)
    assert found is not None and text.split("\n")[found.last].endswith(("fast", "fast |"))
    assert found.row(date(2026, 1, 5), "Use S3", "cheap") == row


def test_what_only_looks_like_a_table_is_none():
    assert decision_table("| Date | Name |\n|---|---|\n| 2026-01-02 | Ann |") is None
    assert decision_table("the date | the decision\nwithout a line below") is None
