"""The off switch that a person turns by hand: while it is off, hooks neither capture nor inject, and say so."""

from pathlib import Path

from commonplace.settings import Settings

FILE = "paused"


def pause(home: Path) -> None:
    """Stop capture and injection until ``resume``."""
    home.mkdir(parents=True, exist_ok=True)
    (home / FILE).touch()


def resume(home: Path) -> bool:
    """Go on; False if nothing was paused."""
    paused = (home / FILE).exists()
    (home / FILE).unlink(missing_ok=True)
    return paused


def why_off(settings: Settings) -> str | None:
    """Why nothing is captured or injected, in words; None while everything runs."""
    if settings.off:
        return f"memory is off (set by {settings.origins.get('off', 'the call')})"
    if (settings.home / FILE).exists():
        return "memory is paused; `commonplace resume` goes on"
    return None
