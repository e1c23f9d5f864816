"""When a later command tells that an earlier failure is over."""

import pytest

from commonplace.notebook.commands import same_run

SAME = [
    ("Bash: npx vitest run test/a.test.ts: 1 failed (1)", "Bash: npx vitest run test/a.test.ts"),
    ("Bash: npx vitest run test/a.test.ts: 1 failed (1)", "Bash: npx vitest run: 93 passed (93)"),
    ("Bash: npm run migrate", "Bash: npm run migrate works now"),
    ("Bash: pytest -q tests/a.py", "Bash: pytest -x tests/a.py -vv"),
    ("Bash: cd api && make test", "Bash: make test"),
    ("Bash: TZ=UTC cargo test", "Bash: cargo test 2>&1 | tail -3"),
]
OTHER = [
    ("Bash: npx vitest run", "Bash: npx tsc --noEmit"),
    ("Bash: npm test", "Bash: npm run lint"),
    ("Bash: pytest tests/a.py: 1 failed", "Bash: pytest tests/b.py: 4 passed"),
    ("Bash: pytest", "Shell: pytest"),
    ("The migration failed: it deadlocked", "Bash: npm run migrate"),
]


@pytest.mark.parametrize(("failed", "line"), SAME)
def test_the_same_program_with_the_same_targets_or_all_is_the_same_run(failed: str, line: str):
    assert same_run(failed, line)


@pytest.mark.parametrize(("failed", "line"), OTHER)
def test_another_program_or_target_is_not(failed: str, line: str):
    assert not same_run(failed, line)
