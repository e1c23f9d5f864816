"""The commands of ``commands.txt``. ``--help`` prints this table without importing anything else."""

from commonplace.entries import Entry, read_entries
from commonplace.verbs import VERBS

NOTES = ("example", "run", "table", "facts", "show", "json", "more", "like", "alias", "suggested-for", "progress")
EVERY = read_entries(__file__.removesuffix("py") + "txt", (*NOTES, "epilog"))
"""Every command by its full name, subcommands included, and the blocks of options, which begin with ``@``."""
for _name, _verb in VERBS.items():
    if _verb.built is not None and _verb.cli is not None:
        _notes = {"example": _verb.built.example, "run": f"book.{_name}"}
        EVERY[_verb.cli] = Entry(_verb.built.group, _verb.built.help, _notes, [f"@built {_name}"], __file__, 1)

COMMANDS = {name: command for name, command in EVERY.items() if " " not in name and not name.startswith("@")}
ALIASES = {word: name for name, command in COMMANDS.items() for word in command.notes.get("alias", "").split()}
"""Aliases of commands."""
SUGGESTED = {
    name: command.notes["suggested-for"] for name, command in COMMANDS.items() if "suggested-for" in command.notes
}
"""Unknown words with the command to suggest for them."""
