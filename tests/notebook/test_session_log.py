"""What a session did, written from its answers: amended, ticked, superseded, closed."""

from pathlib import Path

import pytest

from commonplace import Commonplace
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.session_log import SessionLog
from commonplace.providers.judge import Judge
from commonplace.testing.clock import StoppedClock


@pytest.fixture
def log(notebook: Notebook) -> SessionLog:
    return SessionLog(notebook)


def daily(project: Path) -> str:
    return "\n".join(path.read_text() for path in sorted((project / "memory").glob("2*.md")))


def test_a_fix_amends_the_failure_and_teaches(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("The build failed because `libfoo` was missing.", at=clock.now())
    assert "failed: The build failed" in daily(project)
    clock.advance(minutes=20)
    log.record("Fixed the build: `libfoo` 2.1 is installed in the Dockerfile.", at=clock.now())
    assert "failed:" not in daily(project)
    assert daily(project).count("libfoo` was missing") == 1
    assert "12:00 fixed: The build failed because `libfoo` was missing – Fixed the build" in daily(project)
    assert "libfoo` was missing – Fixed" in (project / "tasks/lessons.md").read_text()


def test_a_fix_of_something_else_amends_nothing(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("The build failed because `libfoo` was missing.", at=clock.now())
    log.record("Fixed the typo in `README.md`.", at=clock.now())
    assert "failed: The build failed" in daily(project)
    assert "fixed: Fixed the typo" in daily(project)


def test_a_fix_that_tells_its_own_failure_amends_no_other(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("One test failed because the cap was applied too early.", at=clock.now())
    log.record("The type check failed on a nullable `secret`, which I fixed with a guard.", at=clock.now())
    assert "failed: One test failed because the cap was applied too early." in daily(project)
    assert "fixed: The type check failed on a nullable `secret`" in daily(project)


def test_lines_stand_in_the_order_of_their_times_though_an_answer_is_read_later(
    log: SessionLog, clock: StoppedClock, project: Path
):
    answered = clock.now()
    clock.advance(minutes=5)
    log.tool("done", "Bash: make: 3 passed", at=clock.now())
    log.record("I added `retry.py`.", at=answered)
    assert daily(project).index("retry.py") < daily(project).index("3 passed")


def test_a_blocker_of_an_answer_leaves_when_a_report_says_that_it_works(
    log: SessionLog, notebook: Notebook, clock: StoppedClock, project: Path
):
    notebook.note("the test key is missing", kind="blocker")
    log.record("I'm blocked until the test database is up.", at=clock.now())
    log.record("I added `retry.py`.", at=clock.now())
    buffer = project / "memory/working-buffer.md"
    assert "blocked until the test database" in buffer.read_text()
    log.record("The integration test passes now that `compose.yml` names the right port.", at=clock.now())
    assert "blocked until the test database" not in buffer.read_text()
    assert "the test key is missing" in buffer.read_text(), "what somebody noted stays"


def test_a_next_step_is_over_when_a_report_names_what_it_is_about(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("Next: write the `RetryPolicy` class.", at=clock.now())
    log.record("I added `Backoff` to `policy.py`.", at=clock.now())
    buffer = project / "memory/working-buffer.md"
    assert "write the `RetryPolicy` class" in buffer.read_text()
    log.record("I implemented `RetryPolicy` in `policy.py`.", at=clock.now())
    assert "RetryPolicy" not in buffer.read_text()


def test_tasks_and_lessons_of_an_agent_do_not_wait_in_review_and_its_decisions_do(
    notebook: Notebook, book: Commonplace, clock: StoppedClock
):
    agent = Notebook(
        notebook._scope.acting_as("notebook", source="assistant", person=False),
        notebook.pages.paths.root,
        notebook._settings,
    )
    answer = "TODO: document the flag\nNever run the migration twice.\nI went with Redis because it was deployed."
    SessionLog(agent).record(answer, at=clock.now())
    assert [item.memory.text for item in book.review.list(limit=1)] == ["I went with Redis because it was deployed."]
    assert {"document the flag", "Never run the migration twice."} <= {memory.text for memory in book.browse()}


def test_reading_an_answer_twice_writes_it_once(log: SessionLog, clock: StoppedClock, project: Path):
    answer = "I added `retry.py`. TODO: document the flag\nNext: wire the CLI."
    assert len(log.record(answer, at=clock.now())) == 3
    before = daily(project), (project / "tasks/todo.md").read_text(), (project / "memory/working-buffer.md").read_text()
    assert log.record(answer, at=clock.now()) == []
    assert before == (
        daily(project),
        (project / "tasks/todo.md").read_text(),
        (project / "memory/working-buffer.md").read_text(),
    )


def test_a_newer_next_step_takes_the_place_of_the_older_and_a_noted_one_stays(
    log: SessionLog, notebook: Notebook, clock: StoppedClock, project: Path
):
    notebook.note("ask Ada about the key", kind="next")
    log.record("Next: wire the CLI.", at=clock.now())
    log.record("Next: write the docs.", at=clock.now())
    buffer = (project / "memory/working-buffer.md").read_text()
    assert "wire the CLI" not in buffer
    assert "next: write the docs." in buffer
    assert "next: ask Ada about the key" in buffer


def test_a_report_ticks_the_task_that_it_finishes(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("TODO: document the retry flag\nTODO: call the dentist", at=clock.now())
    log.record("I documented the retry flag in `docs/cli.md`.", at=clock.now())
    todo = (project / "tasks/todo.md").read_text()
    assert "- [x] document the retry flag" in todo
    assert "- [ ] call the dentist" in todo


def test_an_old_answer_keeps_its_day(log: SessionLog, clock: StoppedClock, project: Path):
    at = clock.now()
    clock.advance(days=2)
    log.record("I added `retry.py`.", at=at)
    assert "retry.py" in (project / "memory" / f"{at:%Y-%m-%d}.md").read_text()


def test_the_end_says_state_open_ends_and_next_step(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("I added `retry.py`. The e2e test failed in `login.spec.ts`.\nNext: mock the clock.", at=clock.now())
    log.record("TODO: document the flag", at=clock.now())
    log.close("logout", at=clock.now())
    buffer = (project / "memory/working-buffer.md").read_text()
    assert "state: I added `retry.py`; failing: The e2e test failed in `login.spec.ts`" in buffer
    ending = daily(project).splitlines()[-1]
    assert "session: ended (logout); open: The e2e test failed" in ending
    assert "document the flag" in ending
    assert "next: mock the clock" in ending


def test_log_lines_are_episodes_and_never_wait_in_review(notebook: Notebook, book: Commonplace, log: SessionLog):
    line = notebook.log("wired the parser to the queue")
    assert line.memory is not None
    memory = book.get(line.memory)
    assert (memory.kind, memory.source) == ("episodic", "assistant")
    log.record("I added `retry.py`.", at=memory.recorded_at)
    notebook.sync()
    assert book.review.list() == []
    assert [hit.memory.id for hit in book.recall("parser queue")].count(line.memory) == 1


def test_a_secret_or_something_forgotten_reaches_no_line(
    log: SessionLog, book: Commonplace, clock: StoppedClock, project: Path
):
    log.record("I set the key to AKIAIOSFODNN7EXAMPLE in `deploy.py`.", at=clock.now())
    assert "AKIA" not in daily(project)
    assert "deploy.py" in daily(project)


def test_a_fix_under_its_label_closes_the_failure_and_what_was_next(
    log: SessionLog, clock: StoppedClock, project: Path
):
    log.record("Two of the four tests fail: `test_burst` allows 61 requests.", at=clock.now())
    log.record(
        "Fixed: `test_burst` checks before it refills. We still need to add the Retry-After header.\n"
        "Next: add the Retry-After header to the 429 response.",
        at=clock.now(),
    )
    assert "failed:" not in daily(project)
    assert "- [ ] add the Retry-After header." in (project / "tasks/todo.md").read_text()
    log.record("I added the Retry-After header in `limits.py`.", at=clock.now())
    assert "- [x] add the Retry-After header." in (project / "tasks/todo.md").read_text()
    assert "next:" not in (project / "memory/working-buffer.md").read_text()


def test_when_all_tests_pass_no_test_fails_any_more_and_other_failures_stay(
    log: SessionLog, clock: StoppedClock, project: Path
):
    log.record("The upload failed with `ECONNRESET`. 2 tests fail in `test_api.py`.", at=clock.now())
    log.record("All 31 tests pass now that the fixture is closed.", at=clock.now())
    assert "failed: The upload failed" in daily(project)
    assert "failed: 2 tests fail" not in daily(project)


def test_a_decision_keeps_its_reason_and_gets_a_row(notebook: Notebook, project: Path):
    (project / "MEMORY.md").write_text("## Decisions\n\n| Date | Decision | Rationale |\n|---|---|---|\n")
    notebook.catch("Per key. And let's go with Redis, not memcached, because we run it already. Thanks!")
    notebook.record_decisions()
    assert "| let's go with Redis, not memcached | because we run it already |" in (project / "MEMORY.md").read_text()


def test_what_the_person_says_is_done_or_unwanted_leaves_the_notebook(
    log: SessionLog, clock: StoppedClock, project: Path
):
    buffer, todo = project / "memory/working-buffer.md", project / "tasks/todo.md"
    log.record(
        "I can't continue until staging is upgraded; Pavel owns it. Next: add the gzip encoding.", at=clock.now()
    )
    log.record("TODO: tell support which tablets were affected.", at=clock.now())
    log.hear("tell support which tablets were affected. will Pavel upgrade staging?", at=clock.now())
    assert "until staging" in buffer.read_text() and "[ ] tell support" in todo.read_text(), "nothing is done by that"
    log.hear("Pavel upgraded staging", at=clock.now())
    log.hear("go with zstd instead of gzip", at=clock.now())
    log.hear("I told support which tablets were affected", at=clock.now())
    assert "until staging" not in buffer.read_text()
    assert "gzip" not in buffer.read_text()
    assert "[x] tell support" in todo.read_text()


def test_a_blocker_is_over_when_an_answer_says_so_in_other_words(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("I'm blocked until the certificate arrives.", at=clock.now())
    log.record("The new one is installed, so the blocker is gone.", at=clock.now())
    assert "certificate" not in (project / "memory/working-buffer.md").read_text()


def test_the_state_is_written_for_a_session_that_did_not_end(log: SessionLog, clock: StoppedClock, project: Path):
    buffer = project / "memory/working-buffer.md"
    log.write_state(clock.now())
    assert not buffer.exists() or "state:" not in buffer.read_text(), "nothing was done yet"
    log.record("I added `retry.py`. The build failed in `ci.yml`.", at=clock.now())
    clock.advance(days=1)
    log.write_state(clock.now())
    assert "state: I added `retry.py`; failing: The build failed in `ci.yml`" in buffer.read_text()
    before = buffer.read_text()
    log.write_state(clock.now())
    assert buffer.read_text() == before


def test_a_task_is_ticked_in_other_words_where_the_judge_sees_it(
    notebook: Notebook, clock: StoppedClock, project: Path
):
    log = SessionLog(notebook, labeller=Judge())
    log.record("We still need to:\n- fix the typo in the header\n- close issue #44", at=clock.now())
    log.record("I opened issue #45 for the footer.", at=clock.now())
    assert (project / "tasks/todo.md").read_text().count("[ ]") == 2
    log.record("I corrected the misspelled heading in `index.html`.", at=clock.now())
    assert "[x] fix the typo" in (project / "tasks/todo.md").read_text()
    assert "[ ] close issue #44" in (project / "tasks/todo.md").read_text()


def test_a_run_that_works_again_amends_what_the_answer_said_of_its_failure(
    log: SessionLog, clock: StoppedClock, project: Path
):
    log.tool("failed", "Bash: python -m parcels.replay samples/", at=clock.now())
    answer = "I replayed the samples: 197 of 212 mails are parsed; 15 fail because `read_mail()` assumes UTF-8."
    log.record(answer, at=clock.now())
    log.record("The build of the docs fails because `theme.css` is gone.", at=clock.now())
    clock.advance(minutes=10)
    log.tool("fixed", "Bash: python -m parcels.replay samples/ works now", at=clock.now())
    text = daily(project)
    assert "fixed: I replayed the samples" in text and "failed: I replayed" not in text
    assert "failed: The build of the docs fails" in text, "what the run does not show stays"


def test_an_answer_that_is_read_after_the_run_worked_again_is_amended_too(
    log: SessionLog, clock: StoppedClock, project: Path
):
    log.tool("failed", "Bash: pytest -q tests/test_dhl.py: 2 failed, 7 passed", at=clock.now())
    answered = clock.now()
    clock.advance(minutes=10)
    log.tool("fixed", "Bash: pytest -q tests/test_dhl.py works now: 9 passed in 0.91s", at=clock.now())
    log.record("Two tests fail: `test_german_date` knows no months.", at=answered)
    assert "fixed: Two tests fail" in daily(project)
    log.record("The tests fail again on the server with 3 failed.", at=clock.now())
    assert "failed: The tests fail again" in daily(project), "it was said after the run"


def test_the_next_failure_of_a_tool_is_told_apart(log: SessionLog, clock: StoppedClock, project: Path):
    log.tool("failed", "Bash: pytest tests/test_a.py: 1 failed", at=clock.now())
    log.tool("failed", "Bash: npm run check: 4 errors", at=clock.now())
    log.record("4 checks fail because `web/page.ts` uses an old type.", at=clock.now())
    clock.advance(minutes=10)
    log.tool("fixed", "Bash: pytest tests/test_a.py works now: 5 passed", at=clock.now())
    assert "failed: 4 checks fail" in daily(project)
    log.tool("fixed", "Bash: npm run check works now: 4 passed", at=clock.now())
    assert "fixed: 4 checks fail" in daily(project)


def test_a_blocker_that_says_what_it_is_about_takes_no_sentence_before_it_along(
    log: SessionLog, clock: StoppedClock, project: Path
):
    blocked = "I'm blocked on the migration: the dump that Mara promised is not there yet, so I can't test it."
    log.record(f"15 mails fail because `read_mail()` assumes UTF-8. {blocked}", at=clock.now())
    buffer = (project / "memory/working-buffer.md").read_text()
    assert f"blocker: {blocked}" in buffer
    log.record("`read_mail()` now takes the charset of the mails that fail.", at=clock.now())
    assert blocked in (project / "memory/working-buffer.md").read_text()
    log.record("The login uses an old token. I can't release it until Dana signs.", at=clock.now())
    assert (
        "blocker: The login uses an old token. I can't release it" in (project / "memory/working-buffer.md").read_text()
    ), "what a pronoun means is said before it"


def test_a_run_and_the_sentence_on_its_failure_share_a_word(log: SessionLog, clock: StoppedClock, project: Path):
    log.tool("failed", "Bash: python -m parcels.migrate --iso-dates", at=clock.now())
    log.record("The migration failed on row 88123: `31.02.2019` is no date.", at=clock.now())
    clock.advance(minutes=3)
    log.tool("fixed", "Bash: python -m parcels.migrate --iso-dates works now", at=clock.now())
    assert "fixed: The migration failed on row 88123" in daily(project)


def test_what_runs_through_after_it_failed_is_fixed(log: SessionLog, clock: StoppedClock, project: Path):
    log.record("The migration failed on row 88123: `31.02.2019` is no date.", at=clock.now())
    log.record("The migration now runs through: 1,204,551 rows, 3 set to NULL.", at=clock.now())
    assert "fixed: The migration failed on row 88123" in daily(project)


def test_a_person_who_says_how_it_is_now_ends_a_blocker_and_ticks_nothing(
    log: SessionLog, clock: StoppedClock, project: Path
):
    log.record("I'm blocked on the migration: the dump that Mara promised is not on the share yet.", at=clock.now())
    log.record("TODO: update docs/parsers.md", at=clock.now())
    log.hear("Is Mara's dump on the share now?", at=clock.now())
    log.hear("The tests run on two cores now.", at=clock.now())
    assert "blocker:" in (project / "memory/working-buffer.md").read_text()
    log.hear("Morning! Mara's dump is on the share now. Please update docs/parsers.md now.", at=clock.now())
    assert "blocker:" not in (project / "memory/working-buffer.md").read_text()
    assert "- [ ] update docs/parsers.md" in (project / "tasks/todo.md").read_text()


def test_a_fix_that_is_told_after_the_run_worked_again_still_teaches(
    log: SessionLog, clock: StoppedClock, project: Path
):
    log.tool("failed", "Bash: pytest -q tests/test_dhl.py: 1 failed, 7 passed", at=clock.now())
    log.record("One test fails: `test_german_date`, because `strptime` knows no months.", at=clock.now())
    clock.advance(minutes=10)
    log.tool("fixed", "Bash: pytest -q tests/test_dhl.py works now: 8 passed", at=clock.now())
    log.record("Fixed `test_german_date` with a table of months.", at=clock.now())
    assert "knows no months – Fixed `test_german_date` with a table" in daily(project)
    assert "knows no months – Fixed" in (project / "tasks/lessons.md").read_text()
    assert daily(project).count("test_german_date") == 2, "one line"
