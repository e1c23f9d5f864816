"""The verbs that every book has, on this machine or on a server.

The types are in protocol.pyi, which `python tools/stubs.py` generates from the signatures in book.py.
"""

from typing import Protocol


class Book(Protocol):
    """What `Commonplace` and `remote.RemoteBook` both implement."""
