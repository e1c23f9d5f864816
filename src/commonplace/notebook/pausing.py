"""The pause switch: while paused, hooks neither capture nor inject, and say so."""

from pathlib import Path

from commonplace.settings import Settings

FILE = "paused"


def pause(home: Path) -> None:
    """Stop capture and injection until ``resume``."""
    home.mkdir(parents=True, exist_ok=True)
    (home / FILE).touch()


def resume(home: Path) -> bool:
    """End the pause; False if nothing was paused."""
    paused = (home / FILE).exists()
    (home / FILE).unlink(missing_ok=True)
    return paused


def why_off(settings: Settings) -> str | None:
    """Why nothing is captured or injected; None if it is."""
    if settings.off:
        return f"memory is off (set by {settings.origins.get('off', 'the call')})"
    if (settings.home / FILE).exists():
        return "memory is paused; run `commonplace resume` to continue"
    return None
