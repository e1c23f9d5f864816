"""The runner's decisions, on values alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from commonplace.directives.dag import cycle, depths
from commonplace.directives.scheduling import Limits, next_action
from commonplace.directives.values import Directive, Step

THEN = datetime(2026, 5, 7, tzinfo=UTC)
GOAL = Directive(
    id="d", owner="ada", namespace="n", title="t", goal="g", status="active", created_at=THEN, generation=1,
    goal_updated_at=THEN, planned_for=THEN,
)  # fmt: skip


def step(id, status, *waits, generation=1):
    return Step(
        id=id, directive="d", name=id, status=status, order_index=ord(id), generation=generation, depends_on=waits
    )


def next_of(steps, *, goal=GOAL, running=(), parallel=2, **limits):
    found = next_action(goal, steps, running=running, parallel=parallel, limits=Limits(**limits))
    return found.act, found.step.id if found.step else found.status


def test_without_steps_it_plans_and_with_too_many_plans_it_ends():
    fresh = replace(GOAL, generation=0, planned_for=None)
    assert next_of([], goal=fresh) == ("plan", None)
    assert next_of([], goal=replace(GOAL, done="reached")) == ("end", "completed")
    assert next_of([step("a", "failed")], generations=1) == ("end", "failed")
    assert next_of([step("a", "failed")], generations=2) == ("plan", None)
    by_hand = [step("a", "failed")]
    assert next_of(by_hand, goal=replace(GOAL, generation=0), generations=1) == ("end", "failed")


def test_it_runs_what_is_ready_in_order_and_no_more_than_allowed():
    plan = [step("a", "ready"), step("b", "ready"), step("c", "pending", "a")]
    assert next_of(plan) == ("run", "a")
    assert next_of(plan, running={"a"}) == ("run", "b")
    assert next_of(plan, running={"a", "b"}) == ("wait", None)
    assert next_of(plan, running={"plan"}) == ("wait", None)
    done = [step("a", "completed"), step("b", "skipped"), step("c", "pending", "a", "b")]
    assert next_of(done) == ("run", "c")


def test_a_new_goal_lets_the_running_end_and_plans_again():
    changed = replace(GOAL, goal_updated_at=THEN + timedelta(seconds=1))
    plan = [step("a", "running"), step("b", "ready")]
    assert next_of(plan, goal=changed, running={"a"}) == ("wait", None)
    assert next_of([step("a", "completed"), step("b", "ready")], goal=changed) == ("plan", None)


def test_a_failure_waits_for_what_does_not_depend_on_it():
    plan = [step("a", "failed"), step("b", "ready"), step("c", "pending", "a")]
    assert next_of(plan) == ("run", "b")
    assert next_of([step("a", "failed"), step("b", "completed"), step("c", "pending", "a")]) == ("plan", None)


def test_failures_of_earlier_plans_are_history():
    steps = [step("a", "failed"), step("b", "completed", generation=2)]
    assert next_of(steps, goal=replace(GOAL, generation=2)) == ("end", "completed")


def test_circles_are_found_and_drawn_from_where_they_begin():
    assert cycle({"a": ["b"], "b": ["c"], "c": []}) is None
    assert cycle({"x": ["a"], "a": ["b"], "b": ["c"], "c": ["a"]}) == ["a", "b", "c", "a"]
    assert cycle({"a": ["a"]}) == ["a", "a"]
    wide = {str(n): [str(n + 1), str(n + 2)] for n in range(3_000)}
    assert cycle(wide) is None


def test_depths_follow_the_longest_way():
    plan = [step("a", "ready"), step("b", "pending", "a"), step("c", "pending", "a", "b"), step("d", "ready", "gone")]
    assert depths(plan) == {"a": 0, "b": 1, "c": 2, "d": 0}
