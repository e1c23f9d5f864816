"""Remove one protection at a time in a copy of the tree and run the tests that should notice.

usage: mutation_check.py [--only WORD] [--write] Prints one line per protection: caught or MISSED. ``--write`` puts the
table into docs/security.md. Exits 1 if any is missed or if a protection is no longer found in the source.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SRC = "src/commonplace/"
BEGIN, END = "<!-- mutation check: begin -->", "<!-- mutation check: end -->"


@dataclass(frozen=True)
class Mutation:
    protection: str
    file: str
    before: str
    after: str
    tests: str


MUTATIONS = (
    Mutation(
        "the ledger is synced before the commit",
        "store/sqlite/ledger.py",
        "            if durable:\n                os.fsync(file)",
        "            if durable:\n                pass",
        "tests/store/test_synced.py",
    ),
    Mutation(
        "the keyring is synced",
        "store/sqlite/keyring_store.py",
        "    os.fsync(file)",
        "    pass",
        "tests/store/test_synced.py",
    ),
    Mutation(
        "an operation that never committed has no effect in the ledger",
        "store/sqlite/ledger.py",
        "DONE if committed else VOID",
        "DONE",
        "tests/upkeep/test_final_acts.py",
    ),
    Mutation(
        "the application role cannot change the audit",
        "store/migrations/postgres/0004_append_only_audit.sql",
        "        revoke update, delete on audit from {role};\n",
        "",
        "tests/store/test_postgres.py",
    ),
    Mutation(
        "a restore keeps the sentences that were not forgotten",
        "memories/forgetting.py",
        "                self._recheck(work, row, episode.content.text, text, cut, victims)\n        self._record_cuts(work, episode, cuts)\n",
        "                self._recheck(work, row, episode.content.text, text, cut, victims)\n",
        "tests/upkeep/test_forgetting_same_everywhere.py",
    ),
    Mutation(
        "a deleted ledger is noticed",
        "store/sqlite/ledger.py",
        '            return f"the ledger {self.path} is missing: a restore could bring back what was forgotten"',
        "            return None",
        "tests/upkeep/test_lost_files.py",
    ),
    Mutation(
        "a missing book beside a keyring is an error",
        "store/sqlite/files.py",
        "    return bool(keyring_of(path).owners())",
        "    return False",
        "tests/upkeep/test_lost_files.py",
    ),
    Mutation(
        "a rejected or forgotten value is refused",
        "memories/gateway.py",
        "        elif not new.confirm or not self.scope.person:\n            raise Tombstoned(reason, person=self.scope.person)",
        "        elif False:\n            pass",
        "tests/book/test_saying_again.py",
    ),
    Mutation(
        "an agent cannot change what a person stated",
        "memories/codec.py",
        "        return self.rank > scope.rank or self.is_from_another_member(scope)",
        "        return False",
        "tests/book/test_trust.py",
    ),
    Mutation(
        "injected context is not learned again",
        "security/fence.py",
        "    return _without(text, FENCE)",
        "    return text",
        "tests/security/test_fence.py",
    ),
    Mutation(
        "private blocks are never stored",
        "security/fence.py",
        "    return _without(text, PRIVATE)",
        "    return text",
        "tests/security/test_fence.py",
    ),
    Mutation(
        "recalled text cannot open or close a tag",
        "security/fence.py",
        '_ANGLE.sub("‹", _SMUGGLED.sub("", text))',
        '_SMUGGLED.sub("", text)',
        "tests/security/test_fence.py",
    ),
    Mutation(
        "a bracket written as an entity without its semicolon is escaped",
        "security/fence.py",
        "{entity.upper()});?|nv{entity};",
        "{entity.upper()});",
        "tests/security/test_fence.py",
    ),
    Mutation(
        "control characters are dropped from recalled text",
        "security/fence.py",
        '_SMUGGLED.sub("", text)',
        "text",
        "tests/security/test_fence.py",
    ),
    Mutation(
        "OIDC scopes need our prefix",
        "interfaces/rest/oidc.py",
        "for word in _scopes(claims) if word.startswith(WORD)}",
        "for word in _scopes(claims)}",
        "tests/interfaces/rest/test_access.py tests/interfaces/rest/test_gate.py tests/interfaces/rest/test_accounts.py",
    ),
    Mutation(
        "OIDC scopes of another type are refused",
        "interfaces/rest/oidc.py",
        "    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):\n        raise NotSignedIn\n",
        "",
        "tests/interfaces/rest/test_access.py tests/interfaces/rest/test_gate.py tests/interfaces/rest/test_accounts.py",
    ),
    Mutation(
        "reusing a code or refresh token ends the connection",
        "security/connections.py",
        "        if opened[1] != _generation(row):",
        "        if False:",
        "tests/interfaces/mcp/test_oauth.py",
    ),
    Mutation(
        "an application's token works at one address only",
        "security/connections.py",
        'if not row or _word(row, "for") != resource:',
        "if not row:",
        "tests/interfaces/mcp/test_oauth.py",
    ),
    Mutation(
        "an application's code is sent only to registered addresses",
        "interfaces/mcp/oauth.py",
        "if _comparable(redirect_uri) not in map(_comparable, self.redirect_uris or ()):",
        "if False:",
        "tests/interfaces/mcp/test_oauth.py",
    ),
    Mutation(
        "consent belongs to the person's session",
        "interfaces/mcp/consent_page.py",
        'if not hmac.compare_digest(form.get("csrf", "").encode(), csrf.encode()):',
        "if False:",
        "tests/interfaces/mcp/test_oauth.py",
    ),
    Mutation(
        "irreversible operations need a person's token",
        "security/tokens.py",
        "    if not token.person:\n        raise NotAllowed(",
        "    if False:\n        raise NotAllowed(",
        "tests/interfaces/rest/test_access.py tests/interfaces/rest/test_consent.py",
    ),
    Mutation(
        "irreversible operations ask for confirmation",
        "interfaces/rest/call.py",
        '        if self.request.headers.get("x-confirm", "").lower() != "true":',
        "        if False:",
        "tests/interfaces/rest/test_access.py tests/interfaces/rest/test_consent.py",
    ),
    Mutation(
        "a request with two lengths is refused",
        "interfaces/rest/gate.py",
        '        if "transfer-encoding" in headers and "content-length" in headers:',
        "        if False:",
        "tests/interfaces/rest/test_access.py tests/interfaces/rest/test_gate.py",
    ),
    Mutation(
        "only known host names are answered",
        "interfaces/rest/gate.py",
        "        if _name(host) not in self._hosts and host not in self._hosts:",
        "        if False:",
        "tests/interfaces/rest/test_gate.py",
    ),
    Mutation(
        "only a port is cut from a host name",
        "interfaces/rest/gate.py",
        "    return name if port.isdecimal() and port.isascii() else host",
        '    return host.partition(":")[0]',
        "tests/interfaces/rest/test_gate.py",
    ),
    Mutation(
        "forwarded addresses count only from named proxies",
        "interfaces/rest/serving.py",
        "        proxy_headers=bool(proxies),\n        forwarded_allow_ips=list(proxies),",
        '        proxy_headers=True,\n        forwarded_allow_ips="*",',
        "tests/interfaces/rest/test_gate.py",
    ),
    Mutation(
        "scripts cannot read the session cookie",
        "interfaces/rest/routes/session.py",
        "        httponly=True,",
        "        httponly=False,",
        "tests/interfaces/rest/test_session.py",
    ),
    Mutation(
        "other sites cannot use the session cookie",
        "interfaces/rest/routes/session.py",
        '        samesite="strict",',
        '        samesite="none",',
        "tests/interfaces/rest/test_session.py",
    ),
    Mutation(
        "a gitdir file is followed only where it points back",
        "repository.py",
        "Repository(root, _verified(git_folder, root))",
        "Repository(root, git_folder)",
        "tests/test_workplace.py tests/test_trust.py",
    ),
    Mutation(
        "a repository cannot take a name that the book treats as another's",
        "trust.py",
        "    return normal(first) == normal(second)",
        "    return first.casefold() == second.casefold()",
        "tests/test_trust.py",
    ),
    Mutation(
        "a project file cannot move the notebook to other files",
        "notebook/paths.py",
        "        problem = path_problem(relative, is_folder=is_folder)",
        "        problem = None",
        "tests/notebook/test_files.py tests/notebook/test_notebook.py tests/notebook tests/test_trust.py",
    ),
    Mutation(
        "users of other frameworks never share a namespace",
        "adapters/foreign_ids.py",
        '    return "".join(chr(byte) if byte in _PLAIN else f"~{byte:02x}" for byte in encoded) or "~"',
        "    return id",
        "tests/adapters/test_foreign_ids.py tests/adapters/test_mem0.py",
    ),
    Mutation(
        "secrets are redacted before anything is stored",
        "memories/admission.py",
        "    return CleanText(redacted.text, tuple(",
        "    return CleanText(kept, tuple(",
        "tests/book/test_remember.py tests/book/test_one_way_in.py tests/book/test_sealed.py",
    ),
)


def caught(mutation: Mutation) -> str:
    """``caught``, ``MISSED``, or why it could not be tried."""
    source = ROOT / SRC / mutation.file
    if not source.is_file() or mutation.before not in source.read_text("utf-8"):
        return "NOT FOUND in the source"
    tests = [name for name in mutation.tests.split() if (ROOT / name).exists()]
    if not tests:
        return "NO TESTS"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("src", "tests", "benchmarks", "pyproject.toml"):
            origin = ROOT / name
            if origin.is_dir():
                shutil.copytree(origin, copy / name, ignore=shutil.ignore_patterns("__pycache__", "static"))
            else:
                shutil.copy(origin, copy / name)
        changed = copy / SRC / mutation.file
        changed.write_text(changed.read_text("utf-8").replace(mutation.before, mutation.after), "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    return {0: "MISSED", 1: "caught"}.get(done.returncode, f"pytest ended with {done.returncode}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a word of the protection or file")
    parser.add_argument("--write", action="store_true", help="put the table into docs/security.md")
    arguments = parser.parse_args()
    rows = []
    for mutation in MUTATIONS:
        if arguments.only in mutation.protection or arguments.only in mutation.file:
            verdict = caught(mutation)
            print(f"{verdict:10} {mutation.protection} ({mutation.file})", flush=True)
            rows.append((mutation, verdict))
    missed = [mutation for mutation, verdict in rows if verdict != "caught"]
    print(f"{len(rows) - len(missed)} of {len(rows)} caught")
    if arguments.write and not missed:
        table = "\n".join(f"| {mutation.protection} | `{mutation.file}` |" for mutation, _ in rows)
        page = ROOT / "docs/security.md"
        text = page.read_text("utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        page.write_text(f"{before}{BEGIN}\n| protection | removed in |\n|---|---|\n{table}\n{END}{after}", "utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
