"""An agent for tests: it does what its script says, and records that it did.

``scripted_agent.py FOLDER``: the prompt comes on standard input and is kept as ``FOLDER/prompts/NNN-<what>.txt``. The
answers are in ``FOLDER/script.json``: for plan N under ``plan N``, for a step under its name; each a list of answers,
one an attempt, the last one for all that follow. An answer is a list of lines, or an object with ``lines`` and what
else to do: ``exit``, ``sleep``, ``flood`` (bytes), ``raw``, ``kill`` (the runner, with SIGKILL), ``die``, ``orphan``
(leave a child behind), ``finally`` (more lines).
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path


def main() -> None:
    folder = Path(sys.argv[1])
    prompt = sys.stdin.buffer.read().decode()
    what = asked(prompt)
    answer = chosen(folder, what, prompt)
    for line in answer.get("lines", []):
        say(line if isinstance(line, str) else json.dumps(line))
    say(answer.get("raw", ""), end="")
    if "kill" in answer:
        time.sleep(0.5)  # what was said is read by now
        os.kill(os.getppid(), signal.SIGKILL)
    if "die" in answer:
        os.kill(os.getpid(), signal.SIGKILL)
    if "orphan" in answer:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    if "flood" in answer:
        flood(answer["flood"])
    time.sleep(answer.get("sleep", 0))
    for line in answer.get("finally", []):
        say(json.dumps(line))
    sys.exit(answer.get("exit", 0))


def asked(prompt: str) -> str:
    plan = re.search(r"^This is plan number (\d+)\.$", prompt, re.MULTILINE)
    if plan:
        return f"plan {plan[1]}"
    found = re.search(r"^STEP\n(.*)$", prompt, re.MULTILINE)
    assert found
    return found[1]


def chosen(folder: Path, what: str, prompt: str) -> dict:
    prompts = folder / "prompts"
    prompts.mkdir(exist_ok=True)
    number = len(list(prompts.glob(f"*-{what}.txt"))) + 1
    path = prompts / f"{time.time_ns()}-{what}.txt"
    path.write_text(prompt, "utf-8")
    with (folder / "log.jsonl").open("a") as log:
        names = ("ID", "RUN", "PHASE", "STEP", "GENERATION", "REPOSITORY", "BRANCH")
        environ = {name: os.environ.get(f"DIRECTIVE_{name}") for name in names}
        log.write(
            json.dumps({"what": what, "number": number, "pid": os.getpid(), "cwd": str(Path.cwd()), **environ}) + "\n"
        )
    script = json.loads((folder / "script.json").read_text("utf-8"))
    answers = script.get(what, script.get("*", [[{"status": "completed", "result": f"did {what}"}]]))
    answer = answers[min(number, len(answers)) - 1]
    return answer if isinstance(answer, dict) else {"lines": answer}


def flood(size: int) -> None:
    piece = b"x" * 65_535
    for number in range(size // 65_536 + 1):
        # every other piece is the rest of one very long line
        sys.stdout.buffer.write(piece + (b"\n" if number % 2 else b"y"))
    sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
