"""The judge as a labeller of sentences. Apart from the rest: a hook process never imports it."""

from collections.abc import Sequence

from commonplace.notebook.answers import Labeller
from commonplace.providers.judge import Judge, TurnLabels
from commonplace.settings import Settings


class JudgeLabeller(Judge):
    """Labels sentences when it is called, and matches reports with tasks."""

    def __call__(self, messages: Sequence[tuple[str, str]]) -> list[TurnLabels]:
        return self.turn(messages)


def turn_labeller(settings: Settings) -> Labeller | None:
    """The judge; None where it is switched off or not installed."""
    judge = JudgeLabeller()
    return judge if settings.judge == "on" and judge.ready() else None
