"""An example for the help of every command and subcommand: what follows `commonplace`. A test parses each."""

from pathlib import Path

from commonplace.verbs import VERBS

_LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
EXAMPLES = {name: example for name, _, example in (line.partition(" = ") for line in _LINES)}
EXAMPLES |= {str(verb.cli): verb.built.example for verb in VERBS.values() if verb.built is not None}
