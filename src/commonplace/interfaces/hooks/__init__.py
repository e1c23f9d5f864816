"""``commonplace-hook EVENT``: what a coding agent calls at the turns of a session. Always ends with 0."""


def main() -> int:
    """The entry point. Whatever goes wrong, the host goes on and the person sees one line about it."""
    # first of all, and before anything that declares a dataclass or a pattern
    from commonplace.interfaces.hooks import bytecode

    with bytecode.kept():
        from commonplace.interfaces.hooks.door import main as answer_host

        return answer_host()


__all__ = ["main"]
