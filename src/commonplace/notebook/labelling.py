"""The judge as a labeller of sentences. Apart from the rest: a hook process never imports it."""

from commonplace.notebook.answers import Labeller
from commonplace.providers.judge import Judge


def turn_labeller() -> Labeller | None:
    """The judge's ``turn`` head; None where it is not installed."""
    judge = Judge()
    return judge.turn if judge.ready() else None
