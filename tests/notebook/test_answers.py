"""From an answer only what reports work is kept, and each thing goes to its place."""

import pytest

from commonplace.notebook.answers import MAX_LINES, read_answer
from commonplace.providers.judge import TurnLabels

NOTHING = [
    "Great question! The scheduler works by polling the queue every second.",
    "Noted.",
    "Understood, I'll take care of it.",
    "Sure, happy to help! You could use a dict here. That would be faster.",
    "Let me look at the code first.",
    "I'm going to rename `Session` in `auth.py` and then run the tests.",
    "The reason is that `foo()` is called before `bar()`. Would you like me to change it?",
    "Good morning! How can I help you today?",
    "I haven't changed `config.py`.",
    "You can run `make test` to check it.",
    "I changed nothing in `b.py`.",
    "You can now set this in `app.toml`.",
    "I'm now looking at `queue.py`.",
    "For now `a.py` stays as it is.",
    "Right now `sender.py` asks once.",
    "You cannot use `await` before Python 3.5.",
    "```\nfixed everything in a.py\n```",
    "> I fixed `a.py` yesterday",
    "Verstanden, das mache ich.",
    "Claro, puedo ayudarte con eso.",
    "D'accord, je vais regarder `main.py`.",
    "Va bene, posso farlo in `main.go`.",
]
REPORTS = [
    ("I've added a retry loop to `upload.py`.", "done"),
    ("Renamed `Session` to `LoginSession`.", "done"),
    ("All 14 tests pass.", "done"),
    ("Committed as 3f2a9bc on branch fix/login.", "done"),
    ("The build failed because `libfoo` was missing.", "failed"),
    ("The tests are failing with exit code 2: ImportError in conftest.py.", "failed"),
    ("Fixed the race in `queue.py` by taking the lock first.", "fixed"),
    ("I removed `c.py` without touching the API, and no caller had to change.", "done"),
    ("I wired it into `sender.py`: a non-2xx status is tried again.", "done"),
    ("`parse()` now returns null for empty input.", "done"),
    ("The cause was a missing await in `poll.ts`.", "done"),
    ("Der Cache in `cache.py` wird jetzt beim Start geleert.", "done"),
    ("A poll takes 3 ms now instead of 4 s.", "done"),
    ("One test failed because of the cap; I moved `min()` to the end and now all 6 tests pass.", "fixed"),
    ("I wrote `test_retry.py`, but it cannot connect: nothing listens there.", "failed"),
    ("I'm blocked until the test database is up.", "blocker"),
    ("Next: wire the CLI.", "next"),
    ("The next step is to write the migration.", "next"),
    ("TODO: document the flag", "task"),
    ("We still need to update the changelog.", "task"),
    ("Never run the migration twice on staging.", "lesson"),
    ("Always pass --frozen to the installer.", "lesson"),
    ("I went with Redis because it was already deployed.", "decision"),
    ("Blocked: no access to the registry", "blocker"),
    ("Ich habe den Parser in `parse.py` angepasst.", "done"),
    ("Als nächstes: Doku schreiben.", "next"),
    ("He añadido la validación en form.ts.", "done"),
    ("J'ai ajouté un cache dans `cache.py`.", "done"),
    ("Ho aggiunto il controllo in `main.go`.", "done"),
]


@pytest.mark.parametrize("answer", NOTHING)
def test_what_reports_no_work_is_left_out(answer: str):
    assert read_answer(answer) == []


@pytest.mark.parametrize(("sentence", "kind"), REPORTS)
def test_a_report_is_kept_as_its_kind(sentence: str, kind: str):
    assert [line.kind for line in read_answer(sentence)] == [kind]
    among = read_answer(f"Good point, thanks! {sentence}\nLet me know what you think.")
    assert kind in [line.kind for line in among]
    assert not any("thanks" in line.text or "Let me know" in line.text for line in among)


def test_headings_say_what_their_bullets_are():
    answer = (
        "## Changes\n- `src/auth.py`: token refresh\n\n**Next steps:**\n1. write the migration\n2. tell Ada\n\nBye!"
    )
    assert [(line.kind, line.text) for line in read_answer(answer)] == [
        ("done", "`src/auth.py`: token refresh"),
        ("next", "write the migration"),
        ("next", "tell Ada"),
    ]


def test_two_tasks_of_a_sentence_are_two():
    lines = read_answer("We still need to wire the policy into the sender and to document the headers.")
    assert [line.text for line in lines] == ["wire the policy into the sender", "document the headers."]


def test_at_most_three_lines_and_the_telling_ones():
    answer = "\n".join(f"- I updated the wording of paragraph {n} a little" for n in range(6))
    answer += "\n- The build failed in `ci.yml`.\n- Added `retry.py`.\n"
    kept = [line.text for line in read_answer(answer)]
    assert len(kept) == MAX_LINES
    assert {"The build failed in `ci.yml`.", "Added `retry.py`."} <= set(kept)


def test_a_failure_with_its_fix_is_a_lesson():
    lines = read_answer("The build failed because `libfoo` was missing. Fixed it by installing libfoo 2.1.")
    assert [line.kind for line in lines] == ["failed", "fixed", "lesson"]
    assert "libfoo 2.1" in lines[-1].text


def test_files_that_tools_edited_are_named_where_the_answer_names_none():
    assert [line.text for line in read_answer("Here you go!", edited=["src/a.py"])] == ["edited src/a.py"]
    assert [line.text for line in read_answer("I rewrote `a.py`.", edited=["src/a.py"])] == ["I rewrote `a.py`."]


def test_a_labeller_has_a_say_where_structure_is_weak():
    labels = dict.fromkeys(TurnLabels.__dataclass_fields__, 0.0)

    def labelled(**likely: float):
        return lambda messages: [TurnLabels(**{**labels, **likely}) for _ in messages]

    weak = "We explored a few different options for the layout together."
    assert [line.kind for line in read_answer(weak)] == ["done"]
    assert read_answer(weak, labeller=labelled(ack=0.9)) == []
    assert [line.kind for line in read_answer(weak, labeller=labelled(done=0.9))] == ["done"]
    later = "The docs come after that, in a separate change."
    assert read_answer(later) == []
    assert [line.kind for line in read_answer(later, labeller=labelled(next_step=0.9))] == ["next"]


def test_a_line_that_leads_to_a_list_says_what_the_list_is():
    answer = "We still need to:\n- bump the version\n- tell support\n\nHere is what I did:\n- wrote 4 tests"
    assert [(line.kind, line.text) for line in read_answer(answer)] == [
        ("task", "bump the version"),
        ("task", "tell support"),
        ("done", "wrote 4 tests"),
    ]


def test_a_label_ends_where_a_sentence_says_itself_what_it_is():
    lines = read_answer("Next: the docs page. I decided to keep the old column, since reports read it.")
    assert [line.kind for line in lines] == ["next", "decision"]


def test_a_blocker_names_what_it_speaks_of():
    blocker = read_answer("The mirror lacks `zstd`. I'm blocked until somebody adds it.")[-1]
    assert (blocker.kind, blocker.text) == ("blocker", "The mirror lacks `zstd`. I'm blocked until somebody adds it.")


def test_the_work_before_a_fix_is_a_line_of_its_own():
    lines = read_answer("I rewrote `export.py` as a generator and fixed the row count in the test.")
    assert [(line.kind, line.text) for line in lines] == [
        ("done", "I rewrote `export.py` as a generator"),
        ("fixed", "fixed the row count in the test."),
    ]
    assert [line.kind for line in read_answer("I couldn't install `zstd`: the mirror lacks it.")] == ["failed"]
    assert read_answer("If it fails, check that the database is up.") == []
    assert [line.kind for line in read_answer("I added a regression test to `test_login.py`.")] == ["done"]
