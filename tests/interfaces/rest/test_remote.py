"""A book on a server is a book: the same verbs, nouns and errors."""

import inspect
import io
import json
import os

import httpx2
import pytest

from commonplace import Commonplace, Conflict, Invalid, Message, NotFound, NotInPlan, Proposal, Query, Refused
from commonplace.errors import CommonplaceError, NotAllowed, StoreError, Tombstoned
from commonplace.interfaces.hooks.entry import answered
from commonplace.model import Memory
from commonplace.remote import RemoteBook, quoted
from commonplace.security.tokens import Accounts, NotSignedIn
from commonplace.settings import Settings


@pytest.fixture
def served(live):
    """The remote book, the same book opened here, and the accounts."""
    url, parts = live()
    accounts = Accounts(parts.store, parts.keychain, parts.clock)
    secret = accounts.issue("ada", scope="admin", person=True).secret
    here = Commonplace(parts, parts.scope("ada", "default"))
    with Commonplace.open(url, token=secret, settings=Settings()) as there:
        yield there, here, accounts


def test_it_answers_with_the_same_nouns(served):
    there, here, _ = served
    assert isinstance(there, Commonplace) and (there.owner, there.namespace, there.plan) == ("ada", "default", "team")
    receipt = there.remember("Ada prefers trains", category="preference", tags=["travel"], metadata={"n": 1})
    assert there.get(receipt.id) == here.get(receipt.id)
    assert there.browse() == here.browse()
    assert [hit.memory for hit in there.recall("trains")] == [hit.memory for hit in here.recall("trains")]
    explained = there.recall(Query(text="trains", explain=True, kinds=("associative",)))
    same = here.recall("trains", explain=True, kinds=["associative"])[0].why
    assert explained[0].why.terms == same.terms and explained[0].why.lists == same.lists
    assert there.context("trains") == here.context("trains")
    assert there.history(receipt.id) == here.history(receipt.id)
    assert there.receipts.get(receipt.ref) == here.receipts.get(receipt.ref)
    assert there.audit.list() == here.audit.list() and there.audit.verify().ok
    assert there.glossary.list() == here.glossary.list()
    assert there.namespaces.list() == here.namespaces.list()
    assert there.stats().memories == here.stats().memories == 1


def test_every_verb_travels(served):
    there, here, _ = served
    said = there.observe([Message("I moved to Bern in May", speaker="Ada")], session="monday")
    assert said.ids and [one.name for one in there.sessions.list()] == ["monday"]
    id = there.remember("Ada lives in Oslo").id
    revised = there.revise(id, "Ada lives in Basel", reason="she moved", expected=1)
    there.undo(revised)
    assert there.get(id).text == "Ada lives in Oslo"
    there.rollback(id, to=2)
    there.confirm(id)
    there.useful(id)
    there.useful(there.get(id), yes=False)
    assert there.useful(there.recall("Oslo", kinds=["associative"])[0]).ids == (id,)
    there.undo(there.archive(id))
    there.undo(there.end(id))
    learned = next(one.id for one in said.changes if one.noun == "memory" and one.action == "ADD")
    assert there.why(learned) == here.why(learned) != []
    assert there.evidence(learned) == here.evidence(learned) != []
    there.relate("Giulia", "reports_to", "Marco", object_type="person")
    assert there.relations("Giulia") == here.relations("Giulia")
    assert there.walk("Marco") == here.walk("Marco")
    assert there.graph.entities() == here.graph.entities()
    there.graph.revise(there.relations()[0].id, notes="since May")
    there.core.set("city", "Basel")
    assert there.core.list() == here.core.list() and there.core.get("city").text == "Basel"
    there.glossary.create("places", description="Where")
    there.glossary.revise("places", rename="homes")
    assert there.glossary.get("homes").description == "Where"
    there.namespaces.create("work")
    other = there.within("work")
    assert other.remember_many(["One", {"text": "Two", "category": "fact"}]).ids
    assert {one.text for one in other.browse()} == {"One", "Two"} and other.namespace == "work"
    assert there.prune(dry_run=True).dry_run and not there.prune().dry_run and not there.merge().dry_run
    assert there.timeline.days()[0].learned >= 2
    there.bulk.tag([id], ["checked"])
    assert "checked" in there.get(id).tags
    gone = there.forget(id)
    assert there.verify_receipt(gone).found == ()
    there.erase(confirm=True, namespace="work")
    there.maintain()
    there.erase(confirm=True)
    assert here.browse() == []


def test_names_with_slashes_travel(served):
    there, here, _ = served
    there.within("mem0/user/ada").remember("Ada sails")
    there.core.set("text/html", "plain")
    there.glossary.create("a/b", description="Both")
    there.relate("CI/CD", "uses", "Docker", subject_type="topic")
    assert there.core.get("text/html").text == "plain"
    assert there.glossary.get("a/b").description == "Both"
    assert there.graph.entity("CI/CD") == here.graph.entity("CI/CD")
    there.erase(confirm=True, namespace="mem0/user/ada")
    assert "mem0/user/ada" not in [namespace.name for namespace in here.namespaces.list()]


def test_an_export_comes_over_and_goes_back(served, tmp_path):
    there, here, _ = served
    there.remember_many([f"Fact {number}" for number in range(20)])
    there.export(tmp_path / "book.ndjson")
    lines = io.StringIO()
    assert there.export(lines).count == len(lines.getvalue().splitlines()) > 20
    there.erase(confirm=True)
    assert there.import_(tmp_path / "book.ndjson", dry_run=True).dry_run
    there.import_(tmp_path / "book.ndjson")
    assert len(here.browse()) == 20


def test_it_fails_with_the_same_errors(served):
    there, here, accounts = served
    id = there.remember("Ada lives in Oslo").id
    for book in (there, here):
        with pytest.raises(NotFound, match="no memory 'nothing'"):
            book.get("nothing")
        with pytest.raises(Conflict) as caught:
            book.revise(id, "Ada lives in Rome", expected=7)
        assert (caught.value.expected, caught.value.found) == (7, 1)
        with pytest.raises(Refused, match="empty"):
            book.remember(" ")
        with pytest.raises(Invalid):
            book.walk("Nobody", depth=99)
        with pytest.raises(Invalid):
            book.erase(confirm=False)
        with pytest.raises(Invalid):
            book.forget()
    there.reject(id)
    with pytest.raises(Tombstoned):
        there.remember("Ada lives in Oslo")
    there.remember("The red bicycle is in the cellar")
    there.remember("The red bicycle is in the garden")
    proposal = there.forget(query="the red bicycle")
    assert isinstance(proposal, Proposal)
    shown = {target.id for target in (*proposal.targets, *proposal.alternatives)}
    assert len(shown) >= 2
    with pytest.raises(NotFound) as nothing:
        there.forget(query="ticket OPS-31")
    assert set(nothing.value.nearest) <= {memory.id for memory in there.browse()}
    there.forget(proposal)
    assert len([memory for memory in there.browse() if "bicycle" in memory.text]) == 1
    accounts.set_owner("ada", plan="free")
    with pytest.raises(NotInPlan):
        there.relate("A", "knows", "B", object_type="person")
    for verb in (lambda: there.notebook, lambda: there.backup("x"), lambda: there.restore("x")):
        with pytest.raises(NotAllowed):
            verb()


def test_a_token_goes_nowhere_it_could_be_seen(served, tmp_path):
    with pytest.raises(NotAllowed, match="token"):
        Commonplace.open("https://book.example", settings=Settings())
    with pytest.raises(NotAllowed, match="https"):
        Commonplace.open("http://book.example", token="x", settings=Settings())
    there, _, _ = served
    url = f"http://{there._server.client.base_url.netloc.decode()}"
    with Commonplace.open(url, token="x", settings=Settings()) as stranger, pytest.raises(NotSignedIn):
        stranger.stats()
    away = Commonplace.open("http://127.0.0.1:9", token="cpl_secret", settings=Settings())
    with away, pytest.raises(StoreError) as caught:
        away.recall("x")
    assert "cpl_secret" not in repr(caught.value)
    assert quoted("../a.b/c") == "%2E%2E%2Fa%2Eb%2Fc"


def test_no_verb_was_left_behind():
    """A verb that the remote book does not carry would work on collections it does not have."""
    own = {name for name in vars(RemoteBook) if not name.startswith("_")}
    local = {"open", "context"}  # opens either; is `page`, which travels
    verbs = {name for name, one in vars(Commonplace).items() if not name.startswith("_")}
    assert verbs - own - local == set()
    for name in verbs & own:
        if inspect.isfunction(vars(Commonplace)[name]):
            assert inspect.isfunction(vars(RemoteBook)[name]), name


def test_more_than_one_answer_holds_comes_in_several(served):
    book, _, _ = served
    book.remember_many([f"Fact number {number}" for number in range(7)])
    asked = []
    line = book._server
    real = line.ask
    line.ask = lambda *given, **params: asked.append(params.get("limit")) or real(*given, **params)
    found = line.items(Memory, "/v1/memories", limit=6, page_size=4)
    assert [len(found), asked] == [6, [4, 2]] and len({one.id for one in found}) == 6


def test_a_write_whose_answer_was_lost_is_asked_again_and_done_once(served, monkeypatch):
    book, _, _ = served
    line, real, lost = book._server, book._server.client.request, []

    def losing(*given, **options):
        answer = real(*given, **options)
        if not lost:
            lost.append(answer.json()["ref"])
            raise httpx2.ReadError("the line broke")
        return answer

    monkeypatch.setattr(line.client, "request", losing)
    receipt = book.observe("The bridge is closed.", session="s")
    assert [receipt.ref] == lost
    assert len(book.browse(kinds=["episodic"])) == 1


def test_filters_and_words_reach_the_server(served, tmp_path):
    book, _, accounts = served
    book.remember("Ada sails", metadata={"project": "x"})
    book.remember("Ada rows", metadata={"project": "y"})
    assert [one.text for one in book.browse(metadata={"project": "x"})] == ["Ada sails"]
    with pytest.raises(Invalid, match="JSON object"):
        book._server.ask("GET", "/v1/memories", metadata="[1")
    shown = book.revise(query="Ada sails", text="Ada sails often", importance=0.9, dry_run=True)
    assert shown.state == "dry run"
    done = book.revise(query="Ada sails", text="Ada sails often", importance=0.9)
    assert book.get(done.id).importance == 0.9
    book.within("elsewhere").remember("Bo is elsewhere")
    book.export(tmp_path / "some", namespaces=["elsewhere"])
    assert "Bo is elsewhere" in (tmp_path / "some").read_text() and "Ada rows" not in (tmp_path / "some").read_text()
    assert book.jobs.counts() == {} or all(isinstance(one, dict) for one in book.jobs.counts().values())
    with pytest.raises(NotAllowed, match="administrator"):
        book.reindex(model="static-256")
    root = accounts.issue("root", scope="admin", person=True).secret
    with Commonplace.open(book._server.place, token=root, settings=Settings()) as shared_server:
        assert shared_server.reindex(model="static-256").action == "REINDEX"
        with pytest.raises(CommonplaceError, match="nobody-knows-this"):
            shared_server.reindex(model="nobody-knows-this")
        assert shared_server.doctor(full=True).sound


def test_a_persons_token_can_speak_for_an_assistant_and_never_the_other_way(served):
    book, here, accounts = served
    said = book.acting_as("mcp", source="assistant", person=False).within("default").remember("Ada likes tea")
    kept = here.get(said.id)
    assert (kept.status, kept.source) == ("candidate", "assistant")
    kept = here.get(book.acting_as("cli", source="user", person=True).remember("Ada likes coffee").id)
    assert (kept.status, kept.source) == ("verified", "user")
    agent = accounts.issue("ada", scope="write", person=False).secret
    with Commonplace.open(book._server.place, token=agent, settings=Settings()) as other:
        line = other._server
        line.source = "user"
        kept = here.get(other.remember("Ada likes milk").id)
        assert (kept.status, kept.source) == ("candidate", "assistant")
        line.source = "nobody"
        with pytest.raises(Invalid, match="X-Source"):
            other.remember("Ada likes water")


def test_hooks_work_on_a_book_on_a_server(served, tmp_path, monkeypatch):
    book, here, _ = served
    project, home = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    for name, value in {
        "COMMONPLACE_HOME": str(home),
        "COMMONPLACE_URL": book._server.place,
        "COMMONPLACE_TOKEN": book._server.client.headers["Authorization"].split()[1],
        "COMMONPLACE_CONFIG": os.devnull,
        "COMMONPLACE_NAMESPACE": "default",
    }.items():
        monkeypatch.setenv(name, value)
    here.remember("Ada prefers night trains to planes")

    def hook(name, **payload):
        raw = json.dumps({"session_id": "s1", "cwd": str(project), **payload}).encode()
        return answered(name, raw, {}, project)

    told = hook("session-start", hook_event_name="SessionStart", source="startup")
    assert "night trains" in told and "degraded" not in told
    told = hook("prompt", hook_event_name="UserPromptSubmit", prompt="We decided to book the ferry in May.")
    told = hook("prompt", hook_event_name="UserPromptSubmit", prompt="Does Ada prefer trains or planes?")
    assert "degraded" not in told
    turns = [one.text for one in here.browse(kinds=["episodic"], newest=False)]
    assert turns == ["We decided to book the ferry in May.", "Does Ada prefer trains or planes?"]
    assert not [path for path in (home / "spool").iterdir() if path.is_file()]
    other = json.dumps({"session_id": "s2", "cwd": str(project), "prompt": "How does Ada travel, by train or plane?"})
    assert "night trains" in answered("prompt", other.encode(), {}, project)

    monkeypatch.setenv("COMMONPLACE_TOKEN", "cpl_wrong")
    told = hook("prompt", hook_event_name="UserPromptSubmit", prompt="This is kept until somebody is there.")
    assert "degraded" in told and "cpl_wrong" not in told
    assert [path for path in (home / "spool").iterdir() if path.is_file()]
