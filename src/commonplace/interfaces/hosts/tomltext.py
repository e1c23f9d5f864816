"""Our block at the end of another program's TOML file; every other byte stays."""

import re
import tomllib

from commonplace.errors import Invalid

BEGIN, END = "# commonplace: begin", "# commonplace: end"
_BLOCK = re.compile(rf"\n?^{BEGIN}$.*?^{END}$\n?", re.M | re.S)


def with_block(text: str, block: str, *, table: str) -> str:
    """The text with our block; unchanged if it, or another table of that name, is there already."""
    try:
        document = tomllib.loads(text.removeprefix("\ufeff"))
    except ValueError:
        raise Invalid("the file is not valid TOML; put it right first") from None
    mine = f"{BEGIN}\n{block.strip()}\n{END}\n"
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda old: ("\n" if old[0].startswith("\n") else "") + mine, text)
    node: object = document
    for name in table.split("."):
        node = node.get(name) if isinstance(node, dict) else None
    if node is not None:
        return text
    joint = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{joint}{mine}"


def without_block(text: str) -> str:
    return _BLOCK.sub("", text)
