"""Measuring: percentiles of single calls, memory of this process."""

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

WARMING = 100
"""Questions asked before any is measured: others, with words of their own."""


def milliseconds(call: Callable[[Any], object], arguments: Iterable[Any]) -> dict[str, float]:
    """p50 and p95 of one call each, in milliseconds, and p50 of its processor time: all of this process's threads."""
    took, worked = [], []
    for argument in arguments:
        started, started_work = time.perf_counter(), time.process_time()
        call(argument)
        worked.append((time.process_time() - started_work) * 1000)
        took.append((time.perf_counter() - started) * 1000)
    took.sort()
    worked.sort()
    middle, high = len(took) // 2, int(len(took) * 0.95)
    return {"p50": round(took[middle], 3), "p95": round(took[high], 3), "work": round(worked[middle], 3)}


def resident_megabytes(*, reset: bool = False) -> float:
    """The most this process has held; where the system says so, without what its parent had held, or from now on."""
    status = Path("/proc/self/status")
    if status.exists():
        if reset:
            Path("/proc/self/clear_refs").write_text("5", "ascii")
        most = next(line for line in status.read_text("ascii").splitlines() if line.startswith("VmHWM:"))
        return round(int(most.split()[1]) / 1024, 1)
    import resource  # not on Windows

    most_held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most_held / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)
