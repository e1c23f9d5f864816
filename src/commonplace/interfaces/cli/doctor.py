"""``doctor``: whether the book is sound."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.settings import own_variables

if TYPE_CHECKING:
    from commonplace.upkeep.doctor import Diagnosis

UNSOUND = 1


def doctor(call: Call) -> None:
    arguments = call.given
    with progress("looking", continues=False) as show:
        diagnosis = call.book.doctor(fix=arguments.fix, full=arguments.full, environ=own_variables(), progress=show)
    arguments.exit_code = 0 if diagnosis.sound else UNSOUND
    call.answer(diagnosis, lambda paper: _lines(paper, diagnosis))


def _lines(paper: Paper, diagnosis: "Diagnosis") -> Iterator[str]:
    number = len(diagnosis.checks)
    yield (
        paper.paint(f"OK: {number} checks passed", "green")
        if diagnosis.sound
        else paper.paint(f"Problems found in {number} checks", "red")
    )
    for symptom in diagnosis.symptoms:
        grade = "fixed" if symptom.fixed else symptom.grade
        remedy = f"; {symptom.remedy}" if symptom.remedy and not symptom.fixed else ""
        yield f"{paper.paint(grade, 'yellow')}: {symptom.what}{remedy}"
