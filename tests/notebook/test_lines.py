"""What Markdown says, block by block."""

from datetime import date

from commonplace.notebook.lines import blocks

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
