"""What a tool did: failures and what fixed them, commits, test counts, edited files."""

import re
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from commonplace.errors import Refused
from commonplace.interfaces.hooks.call import HookCall
from commonplace.interfaces.hooks.payloads import HookEvent
from commonplace.memories import admission
from commonplace.security.fence import strip_private

MAX_COMMAND = 200
"""Characters of a command that its line in the log keeps."""
MAX_FAILURES, MAX_EDITED = 50, 20
OUTPUTS = ("stdout", "output", "llmContent")
COMMIT = re.compile(r"\bgit\b[^|;&]*\bcommit\b")
COMMITTED = re.compile(r"(?m)^\[(?P<branch>[^\]\n]+?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<subject>.+)$")
"""How git tells what it committed."""
EDITS = re.compile(r"(?i)edit|write|patch|create|replace|insert|update")
"""Names of tools that change a file. Those that only read one have other names in every host."""
EXIT_CODE = re.compile(r"(?im)^(?:exit code|process exited with code)[: ]+[1-9]")
"""How hosts tell a failed command in its output, where they have no field for it."""
COUNTS = re.compile(r"\b\d+ (?:passed|failed|errors?|tests? passed|tests? failed|passing|failing)\b[^\n]{0,80}")


def tool(call: HookCall) -> None:
    """Log what a tool did: failures and what fixed them, commits, test counts; edited files wait for the answer."""
    event, settings = call.event, call.settings
    if (
        not settings.hook_tools
        or not call.pages.writes
        or any(fnmatch(event.tool, pattern) for pattern in settings.ignore_tools)
    ):
        return
    subject = _subject(event)
    if subject is None or any(fnmatch(subject, pattern) for pattern in settings.ignore_paths):
        return
    is_command = isinstance(event.tool_input.get("command"), str)
    key = call.records.key(f"{event.tool}:{subject.split()[0]}", call.root)
    failed = call.record.failed
    text = admission.clean(strip_private(f"{event.tool}: {subject}"), max_text=settings.max_text).text
    if _failed(event):
        call.record = replace(call.record, failed=(*failed, key)[-MAX_FAILURES:])
        _log(call, "failed", f"{text}{_counts(event)}")
    elif key in failed:
        call.record = replace(call.record, failed=tuple(other for other in failed if other != key))
        _log(call, "fixed", f"{text} works now{_counts(event)}")
    elif is_command and COMMIT.search(subject):
        _log(call, "done", _committed(event) or text)
    elif is_command and _counts(event):
        _log(call, "done", f"{text}{_counts(event)}")
    elif not is_command and EDITS.search(event.tool) and (name := _inside(subject, call.root)):
        edited = dict.fromkeys((*call.record.edited, name))
        call.record = replace(call.record, edited=tuple(edited)[-MAX_EDITED:])


def _log(call: HookCall, kind: str, text: str) -> None:
    # the grammar of sentences, which most calls of a tool do without
    from commonplace.notebook.session_log import FileWriter, SessionLog

    writer = FileWriter(call.pages, call.settings.max_text)
    SessionLog(writer, language=call.settings.language).tool(kind, text, at=call.clock.now())


def _subject(event: HookEvent) -> str | None:
    """What a tool worked on: a command or a file."""
    for name in ("command", "file_path", "path", "notebook_path"):
        value = event.tool_input.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:MAX_COMMAND]
    return None


def _inside(path: str, root: Path) -> str | None:
    """A file's path in the project; None for any other."""
    try:
        return (root / path).relative_to(root).as_posix()
    except ValueError:
        return None


def _committed(event: HookEvent) -> str:
    """The commit that git reported: hash, branch and subject."""
    match = COMMITTED.search(_output(event))
    return _clean(f"committed {match['hash']} on {match['branch']}: {match['subject'][:MAX_COMMAND]}") if match else ""


def _counts(event: HookEvent) -> str:
    """What a test run printed last, such as ": 12 passed"."""
    matches = COUNTS.findall(_output(event))
    counts = _clean(matches[-1]) if matches else ""
    return f": {counts}" if counts else ""


def _output(event: HookEvent) -> str:
    output = event.tool_response
    if isinstance(output, dict):
        output = next((output[name] for name in OUTPUTS if isinstance(output.get(name), str)), "")
    return output if isinstance(output, str) else ""


def _clean(text: str) -> str:
    try:
        return admission.clean(text, max_text=2 * MAX_COMMAND).text
    except Refused:
        return ""


def _failed(event: HookEvent) -> bool:
    response: Any = event.tool_response
    if event.host_name.lower() == "posttoolusefailure":
        return True
    if isinstance(response, dict):
        code = response.get("exit_code", response.get("exitCode", 0))
        if response.get("is_error") or response.get("error") or response.get("interrupted") or code not in (0, None):
            return True
        response = next((response[name] for name in OUTPUTS if isinstance(response.get(name), str)), None)
    return isinstance(response, str) and bool(EXIT_CODE.search(response))
