"""What a process keeps of the book between questions."""

import os


class Forkable:
    """Kept by one process. A forked child starts with nothing: its parent may have been changing it."""

    def __init__(self) -> None:
        self._reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        """Start empty, with free locks."""
        raise NotImplementedError
