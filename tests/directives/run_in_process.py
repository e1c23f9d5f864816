"""Run a directive in a process that may be killed: ``run_in_process.py URL HOME GOAL FOLDER [NEW GOAL]``.

When the step "pour slowly" is completed, somebody gives the directive a new goal. Prints how it ended.
"""

import json
import resource
import sys
from dataclasses import asdict
from pathlib import Path

from commonplace import Commonplace
from commonplace.directives.runner import RunEvent, run
from commonplace.directives.scheduling import Limits
from commonplace.settings import Settings


def _peak() -> int:
    """The most this program has held, in kilobytes. ``ru_maxrss`` would count what its parent held when it forked."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))


def main() -> None:
    url, home, goal, folder, *new = sys.argv[1:]
    agent = [sys.executable, str(Path(__file__).with_name("scripted_agent.py")), folder]
    with Commonplace.open(url, owner="ada", settings=Settings(home=Path(home), embedder="none")) as book:

        def watch(event: RunEvent) -> None:
            if new and (event.kind, event.name) == ("completed", "pour slowly"):
                book.directives.revise(goal, goal=new[0])

        ended = run(book, goal, agent=agent, limits=Limits(attempts=2, timeout=60), on_event=watch)
    peak = _peak()
    print(json.dumps({**asdict(ended), "peak": peak}))


if __name__ == "__main__":
    main()
