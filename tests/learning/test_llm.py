"""Learning with a language model, over real HTTP: right, late, malformed, hostile and failing answers."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.errors import OverBudget
from commonplace.learning.budget import DailyBudget
from commonplace.learning.llm import stands_in
from commonplace.testing.clock import StoppedClock
from commonplace.testing.scripted_llm import Answer, ReceivedRequest, ScriptedLLM

BELIEFS = ("core", "associative", "relational", "proactive")
SAID = "These days you find me mostly up in Bergen, the rain suits me."


def note(**fields: object) -> dict[str, object]:
    plain = {
        "turn": 1, "quote": "you find me mostly up in Bergen", "type": "fact", "statement": "Owner lives in Bergen",
        "kind": "associative", "category": "fact", "subject": "owner", "subject_type": "person",
        "predicate": "lives_in", "object": "Bergen", "object_type": "place", "key": None, "retracts": None,
        "since": None, "until": None, "confidence": 0.7,
    }  # fmt: skip
    return {**plain, **fields}


EARLIER = Message("I live in Vienna", at=datetime(2026, 4, 1, tzinfo=UTC))
"""Another talk: what is said right after something may end it though it does not name it."""


def notes(*given: dict[str, object]) -> str:
    return json.dumps({"notes": list(given)})


def decision(action: str, target: int | None = None) -> str:
    return json.dumps({"verdicts": [{"note": 1, "action": action, "target": target, "reason": "so it seems"}]})


@pytest.fixture
def llm() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as server:
        yield server


Opener = Callable[..., Commonplace]


@pytest.fixture
def thinking(tmp_path: Path, book_url: str, llm: ScriptedLLM) -> Iterator[Opener]:
    """Open a book that may ask the scripted model."""
    books: list[Commonplace] = []
    clock = StoppedClock()

    def opener(**fields: object) -> Commonplace:
        given = {"llm": "openai:any", "llm_url": llm.url, "llm_daily_tokens": 100_000, "llm_timeout": 5.0, **fields}
        settings = Settings(home=tmp_path / "home", **given)  # type: ignore[arg-type]
        books.append(Commonplace.open(book_url, settings=settings, clock=clock))
        return books[-1]

    yield opener
    for book in books:
        book.close()


def observed(book: Commonplace, text: str | Message = SAID) -> None:
    book.observe(text)
    book._parts.settle()


def beliefs(book: Commonplace) -> dict[str, str]:
    return {one.text: one.status for one in book.browse(kinds=BELIEFS, limit=100)}


def jobs(book: Commonplace) -> dict[str, dict[str, int]]:
    return book.jobs.counts()


def test_a_note_becomes_a_candidate_with_its_evidence(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(notes(note()))
    book = thinking()
    observed(book)
    (belief,) = book.browse(kinds=BELIEFS)
    assert (belief.text, belief.status, belief.source) == ("Owner lives in Bergen", "candidate", "assistant")
    ((_, quote),) = book.evidence(belief.id)
    assert quote == "you find me mostly up in Bergen"
    assert jobs(book)["think"] == {"done": 1}


def test_the_conversation_goes_out_as_data_without_ids(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(notes())
    book = thinking()
    book.core.set("name", "Ada")
    observed(book)
    (request,) = llm.requests
    system, user = (one["content"] for one in request.body["messages"])
    task = json.loads(user)
    assert task["turns"][0]["text"] == SAID
    assert task["known"] == {"name": "Ada"}
    assert "data" in system
    assert request.body["temperature"] == 0
    (episode,) = book.browse(kinds=["episodic"])
    assert episode.id not in user


def test_a_second_opinion_updates_what_it_contradicts(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(notes(), notes(note()), decision("UPDATE", 1))
    book = thinking()
    observed(book, EARLIER)
    observed(book)
    assert beliefs(book) == {"Owner lives in Vienna": "verified", "Owner lives in Bergen": "candidate"}
    (waiting,) = book.review.list()  # a model does not replace what a person said
    assert waiting.conflict is not None and waiting.conflict.text == "Owner lives in Vienna"
    book.review.decide(waiting.memory.id, "approve")
    assert beliefs(book) == {"Owner lives in Bergen": "verified"}
    assert [one.text for one in book.browse(statuses=["stale"], kinds=BELIEFS)] == ["Owner lives in Vienna"]


@pytest.mark.parametrize(
    "answer", [decision("UPDATE", 7), decision("DELETE", 1), decision("UPDATE", None), json.dumps({"verdicts": []})]
)
def test_an_opinion_out_of_bounds_leaves_our_own_verdict(thinking: Opener, llm: ScriptedLLM, answer: str) -> None:
    llm.say(notes(), notes(note()), answer)
    book = thinking()
    observed(book, EARLIER)
    observed(book)
    assert beliefs(book) == {"Owner lives in Vienna": "verified", "Owner lives in Bergen": "candidate"}


def test_what_a_person_confirmed_is_not_replaced(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(notes(), notes(note()), decision("UPDATE", 1))
    book = thinking()
    observed(book, EARLIER)
    (vienna,) = book.browse(kinds=BELIEFS)
    book.confirm(vienna.id)
    observed(book)
    assert beliefs(book)["Owner lives in Vienna"] == "verified"
    (waiting,) = book.review.list()
    assert waiting.conflict is not None


@pytest.mark.parametrize(
    "hostile",
    [
        note(quote="Owner is the admin and may do anything"),
        note(turn=2),
        note(turn=0),
        note(quote=""),
        note(statement=""),
        note(statement="x" * 5_000),
    ],
    ids=["invented quote", "turn not given", "turn zero", "no quote", "no statement", "endless"],
)
def test_a_note_that_rests_on_nothing_is_dropped(
    thinking: Opener, llm: ScriptedLLM, hostile: dict[str, object]
) -> None:
    llm.say(
        notes(hostile, note(statement="Owner likes rain", predicate="likes", object="rain", quote="the rain suits me"))
    )
    book = thinking()
    observed(book)
    assert list(beliefs(book)) == ["Owner likes rain"]


def test_at_most_five_notes_a_turn(thinking: Opener, llm: ScriptedLLM) -> None:
    many = [note(statement=f"Owner likes thing {n}", predicate="likes", object=f"thing {n}") for n in range(30)]
    llm.say(notes(*many))
    book = thinking()
    observed(book)
    assert len(beliefs(book)) == 5


def test_a_model_does_not_forget_and_deletes_no_evidence(thinking: Opener, llm: ScriptedLLM) -> None:
    taken_back = note(retracts="wrong", object="Vienna", quote="Vienna, that was a joke")
    llm.say(notes(), notes(taken_back), decision("DELETE", 1))
    book = thinking()
    observed(book, EARLIER)
    observed(book, "Ah well, Vienna, that was a joke.")
    (waiting,) = book.review.list()
    assert waiting.act == "reject" and waiting.memory.text == "Owner lives in Vienna"
    assert beliefs(book) == {"Owner lives in Vienna": "verified"}
    book.review.decide(waiting.memory.id, "approve")
    assert [one.text for one in book.browse(kinds=BELIEFS, statuses=["rejected"])] == ["Owner lives in Vienna"]
    assert len(book.browse(kinds=["episodic"])) == 2


def test_a_value_that_was_rejected_is_not_brought_back(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(notes(note()), notes(note()), decision("ADD"))
    book = thinking()
    observed(book)
    (belief,) = book.browse(kinds=BELIEFS)
    book.reject(belief.id)
    observed(book, "Still, you find me mostly up in Bergen.")
    (waiting,) = book.review.list()  # a person said it again in other words: only a person lets it back
    assert "rejected before" in waiting.reason
    assert beliefs(book) == {waiting.memory.text: "candidate"}


def test_a_malformed_answer_is_asked_for_again_once(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say('{"notes": [{"turn": "first"}]}', notes(note()))
    book = thinking()
    observed(book)
    assert list(beliefs(book)) == ["Owner lives in Bergen"]
    assert llm.calls == 2


def test_a_hopeless_answer_changes_nothing_and_stays_on_the_job(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(*(Answer("I would rather not") for _ in range(6)))
    book = thinking()
    observed(book)
    assert beliefs(book) == {}
    (job,) = book.jobs.list(kinds=["think"])
    assert job.state == "waiting"
    assert "ProviderError" in (job.error or "")
    assert "Bergen" not in (job.error or "")


def test_a_failing_endpoint_is_tried_again_later(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(*(Answer(status=500) for _ in range(3)))
    book = thinking()
    observed(book)
    (job,) = book.jobs.list(kinds=["think"])
    assert job.state == "waiting"
    llm.say(notes(note()))
    book.jobs.replay(job.id)
    book.maintain()
    assert list(beliefs(book)) == ["Owner lives in Bergen"]


def test_a_late_answer_does_not_hold_up_the_request(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(Answer(notes(note()), delay=0.5))
    book = thinking()
    receipt = book.observe(SAID)
    assert receipt.state == "done"
    assert beliefs(book) == {}
    book._parts.settle()
    assert list(beliefs(book)) == ["Owner lives in Bergen"]


def test_words_forgotten_while_the_model_thinks_teach_nothing(thinking: Opener, llm: ScriptedLLM) -> None:
    book = thinking()

    def answer(request: ReceivedRequest) -> str:
        (episode,) = book.browse(kinds=["episodic"])
        book.forget(episode.id)
        return notes(note())

    llm.say(answer)
    observed(book)
    assert beliefs(book) == {}


def test_a_turn_is_read_once(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(notes(note()))
    book = thinking()
    observed(book)
    (job,) = book.jobs.list(kinds=["think"])
    book.jobs.replay(job.id)
    book.maintain()
    assert llm.calls == 1
    assert jobs(book)["think"] == {"done": 1}


def test_tokens_are_counted_and_shown(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(Answer(notes(note()), usage=(200, 50)))
    book = thinking()
    observed(book)
    stats = book.stats()
    assert (stats.tokens_today, stats.tokens_cap) == (250, 100_000)
    runs = book.why(book.browse(kinds=BELIEFS)[0].id)
    (whole,) = book.why(runs[0].run)
    assert whole.tokens == 250


def test_at_the_days_cap_nothing_is_asked_and_the_job_waits_for_tomorrow(thinking: Opener, llm: ScriptedLLM) -> None:
    llm.say(Answer(notes(), usage=(3_000, 500)), notes(note()))
    book = thinking(llm_daily_tokens=4_000)
    observed(book, "Nothing much happened today, to be honest.")
    observed(book)
    assert llm.calls == 1
    (job,) = book.jobs.list(kinds=["think"], states=["waiting"])
    assert job.due_at.date() > book._scope.clock.now().date()
    assert book.stats().jobs["waiting"] == 1
    book.maintain()
    assert llm.calls == 1
    book._scope.clock.advance(days=1)  # type: ignore[attr-defined]
    book.maintain()
    assert llm.calls == 2
    assert list(beliefs(book)) == ["Owner lives in Bergen"]


def test_a_turn_too_long_for_one_operation_is_left_to_the_rules(thinking: Opener, llm: ScriptedLLM) -> None:
    book = thinking(llm_operation_tokens=1_300)
    observed(book, "I live in Vienna. " + "And so the day went on and on. " * 200)
    assert llm.calls == 0
    assert list(beliefs(book)) == ["Owner lives in Vienna"]
    assert jobs(book)["think"] == {"done": 1}


def test_a_budget_counts_what_is_reserved_by_others(thinking: Opener, llm: ScriptedLLM) -> None:
    scope = thinking()._scope
    one = DailyBudget(scope, daily=1_000, operation=1_000)
    other = DailyBudget(scope, daily=1_000, operation=1_000)
    one.reserve(800)
    with pytest.raises(OverBudget):
        other.reserve(300)
    one.spent(100, 50)
    other.reserve(300)


@pytest.mark.parametrize(
    "fields", [{"llm_daily_tokens": 0}, {"plan": "free"}, {"llm": None}], ids=["no tokens", "free", "no model"]
)
def test_without_leave_no_model_is_called(thinking: Opener, llm: ScriptedLLM, fields: dict[str, object]) -> None:
    book = thinking(**fields)
    observed(book)
    book.maintain()
    assert llm.calls == 0
    assert "think" not in jobs(book)


def test_a_model_may_notice_what_comes_again(thinking: Opener, llm: ScriptedLLM) -> None:
    noticed = {
        "patterns": [
            {"statement": "Looks for a train on Mondays", "turns": [1, 2, 3], "confidence": 0.9},
            {"statement": "Owns the whole company", "turns": [1, 1, 99], "confidence": 1.0},
        ]
    }
    said = ["Is there a train to Bergen?", "When does the express leave?", "How long is the night ride?"]
    book = thinking()
    llm.say(*(notes() for _ in said), json.dumps(noticed))
    for week, text in enumerate(said):
        observed(book, Message(text, at=book._scope.clock.now() - timedelta(weeks=3 - week, hours=3 * week)))
    book.maintain()
    (hint,) = book.browse(kinds=["proactive"])
    assert (hint.text, hint.status) == ("Looks for a train on Mondays", "candidate")
    assert 0.6 <= hint.confidence < 0.9
    assert len(book.evidence(hint.id)) == 3


def test_for_a_plan_without_meaning_nothing_is_embedded(tmp_path: Path, book_url: str) -> None:
    with ScriptedLLM() as server:

        def opened(plan: str) -> Commonplace:
            settings = Settings(
                home=tmp_path / "home", plan=plan, embedder="openai:any", embed_url=server.url, embed_dims=8,
                llm="openai:any", llm_url=server.url, llm_daily_tokens=100_000,
            )  # fmt: skip
            return Commonplace.open(book_url, settings=settings, clock=StoppedClock())

        with opened("free") as book:
            observed(book, EARLIER)
            book.maintain()
            book.recall("where do I live")
            book.context("where do I live")
            assert server.calls == 0
        server.say(notes())
        with opened("pro") as book:
            observed(book, "I moved to Oslo")
            book.maintain()
            assert {request.path for request in server.requests} == {"/v1/chat/completions", "/v1/embeddings"}


def test_at_the_cap_it_stops_and_says_so(thinking: Opener, llm: ScriptedLLM) -> None:
    book = thinking(llm_daily_tokens=40)
    observed(book)
    assert llm.calls == 0
    (job,) = book.jobs.list(kinds=["think"], states=["waiting"])
    assert job.error is not None
    assert "goes on tomorrow" in job.error
    figures = book.maintain().figures
    assert figures is not None
    assert figures["waiting for tokens"] == 1
    assert (book.stats().tokens_today, book.stats().tokens_cap) == (0, 40)


@pytest.mark.parametrize(
    "lost", [Answer(drop=True), Answer(notes(note()), delay=1.0)], ids=["a broken connection", "a late answer"]
)
def test_an_answer_lost_on_the_way_is_asked_for_again_and_not_given_up(
    thinking: Opener, llm: ScriptedLLM, lost: Answer
) -> None:
    book = thinking(llm_operation_tokens=4_500, llm_timeout=0.5)
    llm.say(lost)
    observed(book)
    (job,) = book.jobs.list(kinds=["think"])
    assert (job.state, llm.calls) == ("waiting", 1)
    assert "tokens of one operation" in (job.error or "")
    patient = thinking()
    llm.say(notes(note()))
    patient.jobs.replay(job.id)
    patient.maintain()
    assert list(beliefs(patient)) == ["Owner lives in Bergen"]


@pytest.mark.parametrize("caps", [{"llm_daily_tokens": 5_000}, {"llm_operation_tokens": 4_000}], ids=["day", "one"])
def test_without_tokens_for_a_second_opinion_the_notes_that_were_paid_for_count(
    thinking: Opener, llm: ScriptedLLM, caps: dict[str, object]
) -> None:
    with thinking() as book:
        llm.say(notes())
        observed(book, EARLIER)
    book = thinking(**caps)
    llm.say(Answer(notes(note()), usage=(3_300, 100)))
    observed(book)
    assert llm.calls == 2
    assert beliefs(book) == {"Owner lives in Vienna": "verified", "Owner lives in Bergen": "candidate"}
    assert jobs(book)["think"] == {"done": 2}
    (belief,) = book.browse(kinds=BELIEFS, statuses=["candidate"])
    (step,) = book.why(belief.id)[0].steps
    assert step.opinion == "none: OverBudget"


def test_a_second_opinion_without_sense_leaves_ours(thinking: Opener, llm: ScriptedLLM) -> None:
    book = thinking(llm_operation_tokens=20_000)
    llm.say(notes(), notes(note()), *(Answer("I would rather not") for _ in range(4)))
    observed(book, EARLIER)
    observed(book)
    assert beliefs(book) == {"Owner lives in Vienna": "verified", "Owner lives in Bergen": "candidate"}
    assert jobs(book)["think"] == {"done": 2}


def test_an_endpoint_that_is_away_for_the_second_opinion_is_asked_again(thinking: Opener, llm: ScriptedLLM) -> None:
    book = thinking()
    llm.say(notes(), notes(note()), Answer(status=500, headers={"Retry-After": "60"}))
    observed(book, EARLIER)
    observed(book)
    assert jobs(book)["think"] == {"done": 1, "waiting": 1}
    assert beliefs(book) == {"Owner lives in Vienna": "verified"}


def test_long_answers_before_a_turn_do_not_keep_it_from_being_read(thinking: Opener, llm: ScriptedLLM) -> None:
    book = thinking(llm_operation_tokens=6_000)
    for n in range(40):
        book.core.set(f"value{n}", "so much to say about this one, " * 20)
    llm.say(notes(note()))
    long = [Message("Here is all that I know about it. " * 200, role="assistant") for _ in range(5)]
    book.observe([*long, Message(SAID)])
    book._parts.settle()
    assert "Owner lives in Bergen" in beliefs(book)


@pytest.mark.parametrize(
    "invented",
    [
        note(object="Graz", statement="Owner lives in Graz"),
        note(object="Vienna", statement="Owner lives in Vienna", retracts="wrong"),
        note(object="Vienna", statement="Owner lives in Vienna", retracts="ended"),
        note(kind="core", key="home", predicate="home", object="Graz", statement="Owner's home is Graz"),
    ],
    ids=["another value", "wrong", "ended", "a core value"],
)
def test_a_value_that_nobody_said_changes_nothing_whatever_is_quoted(
    thinking: Opener, llm: ScriptedLLM, invented: dict[str, object]
) -> None:
    book = thinking()
    llm.say(notes(), notes(invented), notes(note()), decision("UPDATE", 1))
    observed(book, EARLIER)
    book.core.set("home", "Vienna")
    observed(book)
    assert llm.calls == 2
    standing = [one for one in book.browse(kinds=BELIEFS) if one.status == "verified"]
    assert {one.text for one in standing} == {"Owner lives in Vienna", "Vienna"}
    assert not book.browse(kinds=BELIEFS, statuses=["rejected", "stale"])
    observed(book, f"As I said: {SAID}")
    assert "Owner lives in Bergen" in beliefs(book)


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("Bergen", "up in BERGEN now", True),
        ("Graz", "up in Bergen now", False),
        ("green tea", "mi piace il green-tea", True),
        ("decisions", "we decided on it", False),
        ("deciding", "we decided on it", True),
        ("42", "it is 42", True),
        ("UK", "in the UK", True),
        ("東京", "東京に住んでいます", True),
        ("Москва", "я живу в Москве", True),
    ],
)
def test_a_value_stands_in_a_text_by_the_beginning_of_a_word(value: str, text: str, stands: bool) -> None:
    assert stands_in(value, text) is stands
