"""What a tool did: failures and what fixed them, commits, test counts, edited files."""

import re
from dataclasses import replace
from datetime import timedelta
from fnmatch import fnmatch
from typing import Any

from commonplace.errors import Refused
from commonplace.interfaces.hooks.call import HookCall
from commonplace.interfaces.hooks.payloads import HookEvent
from commonplace.memories import admission
from commonplace.notebook.commands import same_run
from commonplace.security.fence import strip_private

MAX_COMMAND = 200
"""Characters of a command that its line in the log keeps."""
MAX_EDITED = 20
FAILED = re.compile(r"(?m)^- \d\d:\d\d failed: (.+)$")
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
    values = (event.tool_input.get(name) for name in ("command", "file_path", "path", "notebook_path"))
    subject = next((text for value in values if isinstance(value, str) and (text := " ".join(value.split()))), "")
    subject = subject[:MAX_COMMAND]
    if not subject or any(fnmatch(subject, pattern) for pattern in settings.ignore_paths):
        return
    text = admission.clean(strip_private(f"{event.tool}: {subject}"), max_text=settings.max_text).text
    if not isinstance(event.tool_input.get("command"), str):
        _edited(call, subject)
    elif _failed(event):
        _log(call, "failed", f"{text}{_counts(event)}")
    elif _failed_before(call, text):
        _log(call, "fixed", f"{text} works now{_counts(event)}")
    elif COMMIT.search(subject):
        _log(call, "done", _committed(event) or text)
    elif _counts(event):
        _log(call, "done", f"{text}{_counts(event)}")


def _edited(call: HookCall, path: str) -> None:
    """Keep the name of an edited file for the answer. That an edit failed is no news: the agent edits again."""
    file = call.root / path
    if file.is_relative_to(call.root) and EDITS.search(call.event.tool) and not _failed(call.event):
        edited = dict.fromkeys((*call.record.edited, file.relative_to(call.root).as_posix()))
        call.record = replace(call.record, edited=tuple(edited)[-MAX_EDITED:])


def _failed_before(call: HookCall, text: str) -> bool:
    """Whether the log of today or yesterday says that the same command failed, in this session or an earlier one."""
    paths, today = call.pages.paths, call.pages.today()
    for path in (paths.log(today), paths.log(today - timedelta(days=1))):
        if path.is_file() and any(same_run(failed, text) for failed in FAILED.findall(call.pages.read(path).text)):
            return True
    return False


def _log(call: HookCall, kind: str, text: str) -> None:
    # the grammar of sentences, which most calls of a tool do without
    from commonplace.notebook.session_log import FileWriter, SessionLog

    writer = FileWriter(call.pages, call.settings.max_text)
    SessionLog(writer, language=call.settings.language).tool(kind, text, at=call.clock.now())


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
