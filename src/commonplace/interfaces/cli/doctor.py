"""``doctor``: whether the book is sound."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.settings import own_variables

if TYPE_CHECKING:
    from commonplace.maintenance.doctor import Diagnosis

UNSOUND = 1


def doctor(parser: Parser) -> None:
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired")
    parser.add_argument("--full", action="store_true", help="look up the words of every text, not of some")
    parser.runs(_doctor)


def _doctor(call: Call) -> None:
    given = call.given
    with progress("looking", continues=False) as show:
        found = call.book.doctor(fix=given.fix, full=given.full, environ=own_variables(), progress=show)
    given.exit_code = 0 if found.sound else UNSOUND
    call.answer(
        {"sound": found.sound, "checks": found.checks, "symptoms": found.symptoms}, lambda paper: _lines(paper, found)
    )


def _lines(paper: Paper, found: "Diagnosis") -> Iterator[str]:
    verdict = paper.paint("sound", "green") if found.sound else paper.paint("not sound", "red")
    yield f"{verdict}, {len(found.checks)} checks"
    for one in found.symptoms:
        grade = "fixed" if one.fixed else one.grade
        remedy = f"; {one.remedy}" if one.remedy and not one.fixed else ""
        yield f"{paper.paint(grade, 'yellow')}: {one.what}{remedy}"
