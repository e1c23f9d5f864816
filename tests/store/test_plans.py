"""No statement of `recall` or `remember` walks over a table, or opens the partition of another owner."""

from pathlib import Path

import pytest
from tests.store.explain import SHOWN, Explainer, Statement, explain, faults, in_page, shown_plans, ways

pytestmark = pytest.mark.postgres

PAGE = Path(__file__).parents[2] / "docs/scale.md"


def test_every_hot_statement_goes_by_index_and_to_one_partition(postgres_url: str, tmp_path: Path) -> None:
    lines, wrong = explain(postgres_url, str(tmp_path / "home"), owners=4, memories=30)
    assert wrong == []
    assert sum(line.startswith("-- recall") for line in lines) >= 5
    assert sum(line.startswith("-- remember") for line in lines) >= 10
    assert any("Index Scan" in line for line in lines)
    now, told = shown_plans(lines), in_page(PAGE.read_text("utf-8"))
    assert told.keys() == SHOWN.keys()
    for name, plan in told.items():
        again = "run python tests/store/explain.py --docs docs/scale.md"
        assert ways(plan) == ways(now[name]), f"{name}: {again}"


def test_a_plan_that_looks_everywhere_is_noticed(postgres_url: str) -> None:
    explainer = Explainer(postgres_url, "ada")
    walking = explainer.plan(Statement("select max(relpages) from pg_class", {}), "json")
    explainer.close()
    assert faults(walking) == ["walks over pg_class"]
    both = [{"Node Type": "Index Scan", "Relation Name": f"memory_{number}"} for number in range(2)]
    assert faults([{"Plan": {"Node Type": "Append", "Plans": both}}]) == ["opens 2 partitions of memory"]
