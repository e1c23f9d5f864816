"""Goals, steps and their memories, on every engine."""

import subprocess
import sys

import pytest

from commonplace.errors import Conflict, Invalid, NotAllowed, NotFound, Refused

GOAL = "Move the invoices to the new ledger"


@pytest.fixture
def goal(book):
    return book.directives.create("Ledger", GOAL, memory_enabled=True).id


def names(steps):
    return [(one.name, one.status) for one in steps]


def test_a_directive_is_kept_with_everything_said_about_it(book):
    made = book.directives.create(
        "  Move   house ",
        "First line\nsecond line",
        repository_url="https://ada:secret-word@example.org/house.git",
        local_path="/srv/house",
        base_branch="main",
    )
    found = book.directives.get(made.id)
    assert (found.title, found.goal, found.status, found.memory_enabled) == (
        "Move house",
        "First line\nsecond line",
        "draft",
        False,
    )
    assert (found.repository_url, found.local_path) == ("https://example.org/house.git", "/srv/house")
    assert found.goal_updated_at == found.created_at and found.started_at is None and found.version == 1
    assert found.base_branch == "main"
    assert [one.id for one in book.directives.list()] == [made.id]
    assert book.directives.list(status="active") == []


def test_another_namespace_and_another_owner_see_nothing_of_it(book, goal):
    for other in (book.within("elsewhere"), type(book)(book._parts, book._parts.scope("eve", "default"))):
        assert other.directives.list() == []
        with pytest.raises(NotFound):
            other.directives.get(goal)
        with pytest.raises(NotFound):
            other.directives.delete(goal)
    assert book.directives.get(goal).goal == GOAL


def test_only_what_is_given_changes_and_a_new_goal_is_dated(book, goal):
    before = book.directives.get(goal)
    book.directives.revise(goal, title="Books", base_branch="main")
    after = book.directives.get(goal)
    assert (after.title, after.goal, after.base_branch) == ("Books", GOAL, "main")
    assert after.goal_updated_at == before.goal_updated_at and after.version == 2
    book.directives.revise(goal, goal="Something else", base_branch=None, status="active")
    after = book.directives.get(goal)
    assert after.goal_updated_at > before.goal_updated_at and after.started_at is not None
    assert after.base_branch is None
    assert [one["title"] for one in book.directives.history(goal)] == ["Ledger", "Books", "Books"]


def test_a_stale_writer_is_told_and_nothing_changes(book, goal):
    step = book.directives.add_step(goal, "one").id
    book.directives.revise(goal, title="Second", expected=1)
    with pytest.raises(Conflict):
        book.directives.revise(goal, title="Third", expected=1)
    book.directives.revise_step(step, name="uno", expected=book.directives.step(step).version)
    with pytest.raises(Conflict):
        book.directives.revise_step(step, name="eins", expected=1)
    assert (book.directives.get(goal).title, book.directives.step(step).name) == ("Second", "uno")


def test_what_cannot_be_kept_is_refused(book, goal):
    for wrong in ({"title": " "}, {"status": "happy"}, {"colour": "red"}):
        with pytest.raises(Invalid):
            book.directives.revise(goal, **wrong)
    with pytest.raises(Refused):
        book.directives.revise(goal, goal="  ")
    with pytest.raises(Invalid):
        book.directives.remember(goal, "x", category="fact")
    assert book.directives.get(goal).version == 1


def test_steps_become_ready_when_nothing_holds_them_back(book, goal):
    first = book.directives.add_step(goal, "dig", description="a hole").id
    second = book.directives.add_step(goal, "pour", depends_on=[first]).id
    third = book.directives.add_step(goal, "build", depends_on=[second]).id
    assert names(book.directives.steps(goal)) == [("dig", "ready"), ("pour", "pending"), ("build", "pending")]
    book.directives.revise_step(first, status="completed", result="deep enough")
    assert names(book.directives.steps(goal)) == [("dig", "completed"), ("pour", "ready"), ("build", "pending")]
    book.directives.revise_step(first, status="failed")
    assert book.directives.step(second).status == "pending"
    assert [one.order_index for one in book.directives.steps(goal)] == [1, 2, 3]
    book.directives.delete_step(second)
    assert book.directives.step(third).depends_on == (first,)
    assert book.directives.step(first).result == "deep enough"


def test_a_circle_of_steps_is_refused_with_its_path(book, goal):
    a = book.directives.add_step(goal, "a").id
    b = book.directives.add_step(goal, "b", depends_on=[a]).id
    c = book.directives.add_step(goal, "c", depends_on=[b]).id
    with pytest.raises(Invalid) as caught:
        book.directives.revise_step(a, depends_on=[c])
    assert f"1 ({a}) → 3 ({c}) → 2 ({b}) → 1 ({a})" in str(caught.value)
    with pytest.raises(Invalid):
        book.directives.revise_step(a, depends_on=[a])
    other = book.directives.create("Other", "other").id
    with pytest.raises(Invalid):
        book.directives.add_step(other, "d", depends_on=[a])
    book.directives.revise_step(c, depends_on=[a, b])
    assert book.directives.step(c).depends_on == (a, b) and book.directives.step(a).depends_on == ()


def test_memories_belong_to_their_directive_and_ordinary_recall_finds_them_labelled(book, goal):
    other = book.directives.create("Other", "other").id
    step = book.directives.add_step(goal, "one").id
    first = book.directives.remember(goal, "The ledger rejects negative totals", category="error", step=step).id
    second = book.directives.remember(goal, "We keep cents as integers", category="decision", source="planner").id
    twin = book.directives.remember(other, "We keep cents as integers").id
    assert twin != second, "duplicates are told apart by directive"
    assert book.directives.remember(goal, "We keep cents as integers").id == second
    found = book.directives.memories(goal)
    assert [one.id for one in found] == [first, second]
    assert [(one.source, one.category, one.step, one.directive) for one in found] == [
        ("user", "error", step, goal),
        ("planner", "decision", None, goal),
    ]
    assert [one.id for one in book.directives.memories(goal, category="decision")] == [second]
    assert [one.id for one in book.directives.memories(goal, step=step)] == [first]
    assert [one.id for one in book.directives.memories(other)] == [twin]
    hits = book.recall("negative totals ledger")
    assert [hit.memory.directive for hit in hits if hit.memory.id == first] == [goal]
    assert book.recall("negative totals ledger", directive=other) == []
    assert book.recall("negative totals ledger", directive=goal)[0].memory.id == first
    page = book.context("negative totals ledger").splitlines()
    assert all("directive" in line for line in page if "cents" in line or "negative" in line) and len(page) > 4


def test_a_memory_is_corrected_in_part_and_forgotten_through_its_own_directive_only(book, goal):
    other = book.directives.create("Other", "other").id
    id = book.directives.remember(goal, "The port is 5432", category="context").id
    book.directives.correct(goal, id, category="insight")
    assert (book.get(id).text, book.get(id).category) == ("The port is 5432", "insight")
    book.directives.correct(goal, id, "The port is 6432", expected=2)
    assert (book.get(id).text, book.get(id).category) == ("The port is 6432", "insight")
    for attempt in (book.directives.correct, book.directives.forget):
        with pytest.raises(NotFound):
            attempt(other, id)
    with pytest.raises(Conflict):
        book.directives.correct(goal, id, "again", expected=1)
    assert [one.version for one in book.history(id)] == [1, 2, 3]
    book.directives.forget(goal, id)
    assert book.directives.memories(goal) == []


def test_deleting_a_step_keeps_its_memories_without_it(book, goal):
    step = book.directives.add_step(goal, "one").id
    id = book.directives.remember(goal, "It rained", step=step).id
    book.directives.delete_step(step)
    assert [(one.id, one.step) for one in book.directives.memories(goal)] == [(id, None)]
    with pytest.raises(NotFound):
        book.directives.step(step)


def test_deleting_a_directive_deletes_its_memories_and_nothing_else(book, goal):
    book.directives.add_step(goal, "one")
    id = book.directives.remember(goal, "Purple is the colour of the warehouse").id
    bystander = book.remember("The warehouse is cold").id
    receipt = book.directives.delete(goal)
    assert receipt.id == goal and id in receipt.ids
    assert book.verify_receipt(receipt).found == ()
    for gone in (lambda: book.directives.get(goal), lambda: book.get(id)):
        with pytest.raises(NotFound):
            gone()
    assert [hit.memory.id for hit in book.recall("purple warehouse colour")] == [bystander]
    with pytest.raises(Invalid):
        book.undo(receipt)
    assert book.remember("Purple is the colour of the warehouse").action == "ADD", "no tombstone is left"


def test_a_change_can_be_undone(book, goal):
    step = book.directives.add_step(goal, "one").id
    book.undo(book.directives.revise(goal, title="Changed", goal="Another goal", status="active"))
    found = book.directives.get(goal)
    assert (found.title, found.goal, found.status) == ("Ledger", GOAL, "draft")
    book.undo(book.directives.revise_step(step, name="two", status="failed", result="no"))
    assert (book.directives.step(step).name, book.directives.step(step).status) == ("one", "ready")
    book.undo(book.directives.add_step(goal, "three"))
    assert book.directives.steps(goal)[-1].status == "skipped"
    book.undo(book.directives.create("Mistake", "made"))
    assert book.directives.list(status="archived")[0].title == "Mistake"


def test_who_may_speak_for_whom(book, goal):
    agent = book.acting_as("mcp", source="assistant", person=False).directives
    assert book.get(agent.remember(goal, "one").id).source == "executor"
    assert book.get(agent.remember(goal, "two", source="planner").id).source == "planner"
    with pytest.raises(NotAllowed):
        agent.remember(goal, "three", source="user")
    planner = book.acting_as("rest", source="planner", person=False).directives
    assert book.get(planner.remember(goal, "four").id).source == "planner"
    with pytest.raises(NotAllowed):
        planner.remember(goal, "five", source="executor")
    with pytest.raises(NotAllowed):
        agent.revise(goal, local_path="/etc")
    with pytest.raises(Invalid):
        book.directives.remember(goal, "six", source="tool")
    assert [one.text for one in book.directives.memories(goal)] == ["one", "two", "four"]


@pytest.mark.one_engine("looks into the file")
def test_what_was_typed_lies_sealed(book, tmp_path):
    mark = "zebrafinch"
    goal = book.directives.create(f"{mark} title", f"{mark} goal", base_branch=mark).id
    step = book.directives.add_step(goal, f"{mark} name", description=mark, task_plan=mark).id
    book.directives.revise_step(step, result=f"{mark} result")
    book.directives.remember(goal, f"{mark} memory")
    book.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    data = b"".join(path.read_bytes() for path in files)
    assert mark.encode() not in data and goal.encode() in data


def test_a_fresh_process_can_take_a_change_back(book, book_url, settings):
    goal = book.directives.create("Ledger", GOAL).id
    ref = book.directives.revise(goal, title="Changed").ref
    code = (
        "import sys; from pathlib import Path; from commonplace import Commonplace; "
        "from commonplace.settings import Settings\n"
        "own = Settings(home=Path(sys.argv[2]), embedder='none')\n"
        "book = Commonplace.open(sys.argv[1], owner='ada', settings=own)\n"
        "assert 'commonplace.directives.directives' not in sys.modules\n"
        "book.undo(sys.argv[3])"
    )
    subprocess.run([sys.executable, "-c", code, book_url, str(settings.home), ref], check=True, timeout=60)
    assert book.directives.get(goal).title == "Ledger"


def test_goals_survive_export_rotation_and_the_doctor(book, tmp_path):
    goal = book.directives.create("Ledger", GOAL, memory_enabled=True).id
    step = book.directives.add_step(goal, "one").id
    book.directives.add_step(goal, "two", depends_on=[step])
    book.directives.remember(goal, "The ledger rejects negative totals", category="error", step=step)
    book.export(tmp_path / "all.jsonl")
    book.rotate_keys()
    with type(book).open(f"sqlite:///{tmp_path}/other.db", owner="ada", settings=book.settings) as other:
        other.import_(tmp_path / "all.jsonl")
        assert other.directives.get(goal) == book.directives.get(goal)
        assert other.directives.steps(goal) == book.directives.steps(goal)
        assert other.directives.memories(goal)[0].text == "The ledger rejects negative totals"
        assert list(other.directives.history(goal)) == list(book.directives.history(goal))
        other.directives.delete(goal)
        assert other.doctor(full=True).sound and book.doctor(full=True).sound
