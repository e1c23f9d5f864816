"""Modules of the standard library that others import for a rare case, put off until that case comes."""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec


def put_off(*names: str) -> None:
    """Import these when they are first used. Does nothing for one that is there already, or that is not found."""
    for name in names:
        spec = None if name in sys.modules else find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
            module = sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(module)
