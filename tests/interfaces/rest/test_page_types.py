"""The page's types are made from the OpenAPI document; ``python tools/page_types.py`` writes them again."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_types_of_the_page_are_current() -> None:
    spec = importlib.util.spec_from_file_location("page_types", ROOT / "tools" / "page_types.py")
    assert spec and spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.TARGET.read_text("utf-8") == tool.types()
