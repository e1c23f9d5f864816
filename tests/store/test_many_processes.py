"""Several processes on one database: no job is done twice, none is lost, and who dies leaves nothing locked."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from tests.conformance.store.build import home, job

from commonplace.store.postgres.store import PostgresStore

pytestmark = [pytest.mark.postgres, pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")]

OWNERS, JOBS, WORKERS = ("ada", "bob"), 30, 4
DAY = "2026-01-01"
WORKER = """
import sys
from commonplace.store.postgres.store import PostgresStore

url, holder, now, dies = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "dies"
store = PostgresStore(url)
sys.stdin.readline()
taken = True
while taken:
    taken = 0
    for owner in ("ada", "bob"):
        with store.write(owner) as tx:
            leased = tx.jobs.lease(kinds=[], now=now, until=now + 100, holder=holder, limit=2)
        taken += len(leased)
        if dies and leased:
            print("holding", flush=True)
            sys.stdin.readline()
        for one in leased:
            with store.write(owner) as tx:
                if tx.jobs.finish(one.id, holder=holder, at=now):
                    tx.usage.add("2026-01-01", one.id, calls=1, tokens=0)
store.close()
"""
LEASE = """
import sys
from commonplace.store.postgres.store import PostgresStore

store = PostgresStore(sys.argv[1])
assert store.accounts.lease("schedule", holder="first", now=10, until=100)
print("holding", flush=True)
sys.stdin.readline()
"""


def started(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def go(one: "subprocess.Popen[str]") -> None:
    assert one.stdin is not None
    one.stdin.write("go\n")
    one.stdin.flush()


def killed_while_holding(one: "subprocess.Popen[str]") -> None:
    assert one.stdout is not None
    assert one.stdout.readline() == "holding\n"
    one.send_signal(signal.SIGKILL)
    one.communicate()


def done(store: PostgresStore) -> dict[str, list[int]]:
    """How often each job was done, and how many are left undone."""
    found = {}
    for owner in OWNERS:
        with store.read(owner) as tx:
            left = [one for one in tx.jobs.all() if one.state != "done"]
            found[owner] = [*sorted(one.calls for one in tx.usage.of(DAY)), len(left)]
    return found


def test_jobs_are_done_once_each_though_a_worker_is_killed_with_some_in_hand(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    for owner in OWNERS:
        with store.write(owner) as tx:
            home(tx)
            for number in range(JOBS):
                tx.jobs.put(job(f"j{number:02}", state="waiting", due_at=1, lease_holder=None, lease_until=None))
    unlucky = started(WORKER, postgres_url, "unlucky", "10", "dies")
    go(unlucky)
    killed_while_holding(unlucky)
    for now in ("50", "200"):
        workers = [started(WORKER, postgres_url, f"worker {n}", now, "lives") for n in range(WORKERS)]
        for one in workers:
            go(one)
        said = [one.communicate(timeout=100)[1] for one in workers]
        assert [one.returncode for one in workers] == [0] * WORKERS, said
        if now == "50":
            assert done(store) == {"ada": [1] * (JOBS - 2) + [2], "bob": [1] * JOBS + [0]}, "two are still leased"
    assert done(store) == {owner: [1] * JOBS + [0] for owner in OWNERS}
    store.close()


def test_a_schedulers_lease_outlives_a_killed_holder_and_then_goes_to_another(postgres_url: str) -> None:
    holder = started(LEASE, postgres_url)
    killed_while_holding(holder)
    store = PostgresStore(postgres_url)
    assert not store.accounts.lease("schedule", holder="second", now=99, until=200), "nobody knows that it is dead"
    assert store.accounts.lease("schedule", holder="second", now=100, until=200)
    assert not store.accounts.lease("schedule", holder="first", now=150, until=300)
    store.close()


def test_a_writer_that_is_killed_leaves_its_owner_to_others(postgres_url: str, postgres_server: Any) -> None:
    write = "import sys; from commonplace.store.postgres.store import PostgresStore\n"
    write += "with PostgresStore(sys.argv[1]).write('ada') as tx:\n"
    write += "    tx.usage.add('2026-01-01', 'llm', calls=1, tokens=1); tx.usage.of('2026-01-01')\n"
    write += "    print('holding', flush=True); sys.stdin.readline()"
    killed_while_holding(started(write, postgres_url))
    store = PostgresStore(postgres_url)
    with store.write("ada") as tx:
        assert list(tx.usage.of(DAY)) == [], "what was not committed is gone"
        tx.usage.add(DAY, "llm", calls=1, tokens=1)
    store.close()
