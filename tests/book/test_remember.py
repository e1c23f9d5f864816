"""Keeping: what comes in is there, whole, once, and what may not come in changes nothing."""

import gc
from datetime import datetime, timedelta, timezone

import pytest

from commonplace import Commonplace, Invalid, Message, Refused

TRAIN = "Ada prefers trains to planes"


def test_a_memory_comes_back_as_it_was_given(book: Commonplace) -> None:
    receipt = book.remember(
        TRAIN, category="preference", tags=["travel"], importance=0.9, metadata={"trip": {"to": "Berlin"}}, pinned=True
    )
    memory = book.get(receipt.id)
    assert (memory.text, memory.category, memory.tags, memory.importance, memory.pinned) == (
        TRAIN, "preference", ("travel",), 0.9, True,
    )  # fmt: skip
    assert memory.metadata == {"trip": {"to": "Berlin"}}
    assert (receipt.action, receipt.ids, memory.status, memory.version) == ("ADD", (memory.id,), "verified", 1)


def test_said_again_is_corroborated_not_doubled(book: Commonplace) -> None:
    first = book.remember(TRAIN)
    again = book.remember("  ada prefers TRAINS to planes. ")
    assert (again.action, again.id) == ("NOOP", first.id)
    assert len(book.recall("trains")) == 1
    assert book.get(first.id).confidence > book.history(first.id)[0].memory.confidence


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", {}),
        ("   ", {}),
        ("x" * 1_000_001, {}),
        ("a\x00b", {}),
        ("\ud800", {}),
        ("fine", {"category": "gossip"}),
        ("fine", {"kind": "rumour"}),
        ("fine", {"kind": "core"}),
        ("fine", {"key": "k"}),
        ("fine", {"importance": 1.5}),
        ("fine", {"importance": float("nan")}),
        ("fine", {"metadata": {"a": object()}}),
        ("fine", {"tags": [""]}),
        ("fine", {"source": "me"}),
        ("<private>only for us</private>", {}),
        ("<memory_context>what we said before</memory_context>", {}),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(book: Commonplace, text: str, fields: dict) -> None:
    book.remember(TRAIN)
    with pytest.raises((Refused, Invalid)):
        book.remember(text, **fields)
    assert [hit.memory.text for hit in book.recall("")] == [TRAIN]
    assert book.audit.verify().ok


def test_secrets_are_redacted_and_the_rest_is_kept(book: Commonplace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    receipt = book.remember(f"the deploy token is {secret} and the port is 8080")
    kept = book.get(receipt.id).text
    assert secret not in kept
    assert "[redacted:" in kept and "the port is 8080" in kept
    assert any(note.startswith("redacted") for note in receipt.notes)


def test_many_at_once_are_all_there_or_none(book: Commonplace) -> None:
    receipt = book.remember_many([f"fact number {n}" for n in range(50)])
    assert len(receipt.ids) == 50
    with pytest.raises(Invalid):
        book.remember_many(["a good one", {"text": "a bad one", "category": "gossip"}])
    assert not [hit for hit in book.recall("a good one") if hit.memory.text == "a good one"]
    assert [hit.memory.text for hit in book.recall("fact number 7", limit=1)] == ["fact number 7"]


def test_a_conversation_is_kept_word_for_word_in_order(book: Commonplace) -> None:
    said = [
        Message("I bought a red bicycle yesterday", speaker="Ada", metadata={"line": 1}),
        Message("Nice! Which shop?", role="assistant"),
        Message("The one in Main Street", speaker="Ada"),
    ]
    receipt = book.observe(said, session="monday")
    episodes = [book.get(id) for id in receipt.ids]
    assert [(one.text, one.turn.position, one.turn.session) for one in episodes] == [
        (message.text, n, "monday") for n, message in enumerate(said)
    ]
    assert episodes[0].metadata == {"line": 1} and episodes[0].turn.speaker == "Ada"
    more = book.observe("It has three gears", session="monday")
    assert book.get(more.id).turn.position == 3
    assert book.recall("bicycle", limit=1)[0].memory.text == said[0].text


def test_the_same_message_fed_twice_is_kept_once(book: Commonplace, clock) -> None:
    message = Message("The launch is in May", at=clock.now())
    first = book.observe([message], session="s")
    second = book.observe([message], session="s")
    assert first.ids and not second.ids
    assert len(book.recall("launch", kinds=["episodic"])) == 1


def test_dicts_and_strings_are_messages_too(book: Commonplace) -> None:
    receipt = book.observe(["hello from the harbour", {"role": "assistant", "content": "and a ship to you"}])
    assert [book.get(id).turn.role for id in receipt.ids] == ["user", "assistant"]


def test_core_values_replace_each_other_and_history_keeps_both(book: Commonplace, clock) -> None:
    book.core.set("city", "Vienna")
    before = clock.now()
    clock.advance(days=10)
    book.core.set("city", "Oslo")
    assert book.core.get("city").text == "Oslo"
    assert book.core.get("city", as_of=before).text == "Vienna"
    assert [one.text for one in book.core.list()] == ["Oslo"]
    assert [one.text for one in book.core.list(known_at=before)] == ["Vienna"]


def test_owners_and_namespaces_do_not_see_each_other(open_book) -> None:
    ada, bob = open_book(owner="ada"), open_book(owner="bob")
    work = open_book(owner="ada", namespace="work")
    kept = ada.remember("the harbour code is blue")
    work.remember("the harbour office opens at nine")
    bob.remember("the harbour is closed on Sundays")
    assert [hit.memory.text for hit in ada.recall("harbour")] == ["the harbour code is blue"]
    assert [hit.memory.text for hit in bob.recall("harbour")] == ["the harbour is closed on Sundays"]
    assert [hit.memory.text for hit in work.recall("harbour")] == ["the harbour office opens at nine"]
    for other in (bob, work):
        with pytest.raises(LookupError):
            other.get(kept.id)
        with pytest.raises(LookupError):
            other.forget(kept.id)
    assert ada.get(kept.id)


def test_the_personal_namespace_is_read_along_with_every_other(open_book) -> None:
    open_book(namespace="personal").remember("Ada is allergic to peanuts")
    work = open_book(namespace="work")
    work.remember("peanuts are sold in hall three")
    assert {hit.memory.text for hit in work.recall("peanuts")} == {
        "Ada is allergic to peanuts",
        "peanuts are sold in hall three",
    }
    assert [hit.memory.namespace for hit in work.recall("peanuts", namespaces=["work"])] == ["work"]


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": [f"tag {number}" for number in range(101)]},
        {"tags": 7},
        {"pinned": "yes"},
        {"metadata": {1: "a number for a name"}},
        {"metadata": {"deep": [{"deeper": {None: 1}}]}},
        {"valid_from": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_fields_that_cannot_be_meant_are_refused(book: Commonplace, fields: dict) -> None:
    with pytest.raises(Invalid):
        book.remember("Ada drinks tea", **fields)
    assert book.browse() == []
    assert book.remember("Ada drinks tea", tags=[f"tag {number}" for number in range(100)]).action == "ADD"


def test_metadata_nested_without_end_is_refused(book: Commonplace) -> None:
    deep: dict = {}
    for _ in range(3000):
        deep = {"in": deep}
    with pytest.raises(Invalid, match="deep"):
        book.remember("Ada drinks tea", metadata=deep)
    assert book.remember("Ada drinks tea", metadata={"in": {"in": [1, {"in": None}]}}).action == "ADD"


@pytest.mark.parametrize("nothing", ["\u200b\u200b", "\u2060", "\ufeff \u200d", "\u00ad"])
def test_invisible_characters_are_no_text(book: Commonplace, nothing: str) -> None:
    for verb in (book.remember, book.observe):
        with pytest.raises(Refused):
            verb(nothing)
    assert book.remember("👩‍👩‍👧").action == "ADD"


@pytest.mark.parametrize("given", [5, None, b"bytes", [5], [None], [["nested"]]])
def test_what_is_no_conversation_is_refused(book: Commonplace, given) -> None:
    with pytest.raises(Invalid):
        book.observe(given)
    with pytest.raises(Invalid):
        book.remember_many([given])
    assert book.observe({"role": "user", "content": "a single turn is one"}).ids


def test_a_namespace_without_a_name_is_not_made(book: Commonplace) -> None:
    for name in ("", " ", "x" * 500):
        with pytest.raises(Invalid):
            book.within(name).remember("Ada drinks tea")
    assert book.within("x" * 100).remember("Ada drinks tea").action == "ADD"


def test_secrets_in_reasons_and_descriptions_are_redacted(book: Commonplace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    tea = book.remember("Ada drinks tea").id
    book.revise(tea, "Ada drinks oolong", reason=f"see {secret} for more")
    book.glossary.create("drinks", description=f"see {secret} for more")
    book.namespaces.create("office", description=f"see {secret} for more")
    told = [book.history(tea)[-1].reason, book.glossary.get("drinks").description]
    told.append(book.namespaces.get("office").description)
    assert all(one.startswith("see ") and one.endswith("for more") and secret not in one for one in told)


def test_metadata_is_found_by_the_very_value_now_and_as_it_was_known(book: Commonplace, clock) -> None:
    values = [1, True, 1.0, "1", None, [1, 2], {"a": 1, "b": 2}]
    for number, value in enumerate(values):
        book.remember(f"odd thing {number}", metadata={"is": value})
    book.remember("odd thing without")
    clock.advance(hours=1)
    for number, value in enumerate([*values[:5], (1, 2), {"b": 2, "a": 1}]):
        for known_at in (None, clock.at):
            hits = book.recall("odd thing", metadata={"is": value}, known_at=known_at, limit=50)
            assert [hit.memory.text for hit in hits] == [f"odd thing {number}"], (value, known_at)


@pytest.mark.parametrize("value", [b"1", {1, 2}, object(), "\ud800"], ids=["bytes", "set", "object", "surrogate"])
def test_metadata_that_nothing_can_have_is_no_question(book: Commonplace, value: object) -> None:
    book.remember("odd thing", metadata={"is": 1})
    with pytest.raises(Invalid):
        book.recall("odd thing", metadata={"is": value})
    assert len(book.recall("odd thing", metadata={"is": 1})) == 1


def test_a_time_without_a_zone_or_in_letters_is_taken_in_every_question(book: Commonplace, clock) -> None:
    before = clock.at.replace(tzinfo=None)
    clock.advance(days=2)
    id = book.remember("odd thing").id
    after = (clock.at + timedelta(days=1)).replace(tzinfo=None)
    for early, late in ((before, after), (before.isoformat(), after.isoformat())):
        for asked in ("known_at", "as_of", "until"):
            assert [hit.memory.id for hit in book.recall("odd thing", **{asked: late})] == [id], asked
        assert book.recall("odd thing", known_at=early) == [] == book.recall("odd thing", until=early)
    for asked in ("known_at", "as_of", "until", "since"):
        with pytest.raises(Invalid):
            book.recall("odd thing", **{asked: 5})


@pytest.mark.parametrize(
    "shown",
    [
        "the \x1b[31mzebra\x1b[0m barks",
        "the \x1b[1;38;5;196mzebra\x1b[m barks\x1b[2K",
        "the \x9b31mzebra barks",
        "the \x1b]8;;https://zoo.example\x1b\\zebra\x1b]8;;\x07 barks",
        "the \x1bzebra\x07 barks",
    ],
)
def test_the_signs_of_a_terminal_do_not_stick_to_the_words_of_a_turn(book, shown):
    book.observe([{"text": shown, "speaker": "Ada"}], session="shell")
    (hit,) = book.recall("zebra", recipe="words")
    assert hit.memory.text == "the zebra barks"


def test_a_link_of_a_terminal_that_never_ends_costs_no_words(book):
    book.observe([{"text": "the \x1b]8;;zebra barks at night", "speaker": "Ada"}], session="shell")
    (hit,) = book.recall("night barks", recipe="words", kinds=["episodic"])
    assert hit.memory.text == "the ]8;;zebra barks at night"


def test_the_collector_of_cycles_is_after_a_batch_as_it_was(book: Commonplace) -> None:
    assert gc.isenabled()
    book.remember_many([TRAIN, "Ada rides a bicycle"])
    assert gc.isenabled()
    with pytest.raises(Refused):
        book.remember_many(["Ada plays chess", ""])
    assert gc.isenabled()
    gc.disable()
    try:
        book.remember_many(["Ada swims"])
        assert not gc.isenabled()
    finally:
        gc.enable()
