"""The judge: a small model inside the package that compares two short texts and labels a message.

It gives probabilities; it decides nothing. It knows English best. docs/providers.md has its error rates.
"""

import importlib.util
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from commonplace.errors import ProviderError
from commonplace.lazy import LazyModule
from commonplace.settings import Settings

if TYPE_CHECKING:
    from commonplace.providers.judge import model
else:  # numpy and onnxruntime take half a second to import: only the first question pays for them
    model = LazyModule("commonplace.providers.judge.model")

FOLDER = Path(__file__).parent / "models"
MODEL, LABELS = "judge-int8.onnx", "labels.json"

_Classes = TypeVar("_Classes", "Verdict", "Match", "TurnLabels", "TriggerLabels", "Lasting")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a new statement does to an old belief: one probability for each class; they add up to 1."""

    same: float
    refines: float
    replaces: float
    ends: float
    denies: float
    coexists: float
    unrelated: float

    @property
    def change(self) -> float:
        """How likely the old belief no longer stands."""
        return self.replaces + self.ends + self.denies

    @property
    def likeliest(self) -> str:
        return max(asdict(self).items(), key=lambda entry: entry[1])[0]


@dataclass(frozen=True, slots=True)
class Match:
    """Whether a description means a text: not at all, a part of it, or the whole; they add up to 1."""

    no: float
    part: float
    whole: float

    @property
    def meant(self) -> float:
        return self.part + self.whole


@dataclass(frozen=True, slots=True)
class TurnLabels:
    """What a message holds: a probability for each label, independent of the others."""

    fact: float
    preference: float
    instruction: float
    decision: float
    correction: float
    change: float
    event: float
    todo: float
    next_step: float
    blocker: float
    lesson: float
    done: float
    failure: float
    number: float
    question: float
    ack: float
    transient: float
    unreal: float
    secret: float

    def above(self, threshold: float) -> frozenset[str]:
        """The labels that are at least this likely."""
        return frozenset(label for label, probability in asdict(self).items() if probability >= threshold)


@dataclass(frozen=True, slots=True)
class TriggerLabels:
    """What a message to an agent at work holds that is worth writing down at once: independent probabilities."""

    trigger: float
    """Anything of it at all."""
    correction: float
    decision: float
    architecture: float
    priority: float
    value: float
    rule: float
    todo: float


@dataclass(frozen=True, slots=True)
class Lasting:
    """Whether a sentence holds for more than some days (three), weeks (two) and months (three), and whether it says
    whom and what it is about: independent probabilities."""

    days: float
    weeks: float
    months: float
    alone: float


@dataclass(frozen=True, slots=True)
class Judge:
    """Making one costs nothing; the first question loads the model, once a process. Safe in threads and across a fork.

    Every method raises ``ProviderError`` where onnxruntime or the model is missing or damaged; ``ready`` tells before.
    A pair has the same scores alone and in company, and the scores of recent pairs are remembered, their texts are not.
    """

    folder: Path = FOLDER

    def ready(self) -> bool:
        """Whether the files and onnxruntime are there. Loads nothing."""
        files = all((self.folder / name).is_file() for name in (MODEL, LABELS))
        return files and importlib.util.find_spec("onnxruntime") is not None

    def decide(self, pairs: Iterable[tuple[str, str]]) -> list[Verdict]:
        """For each pair of an old belief and a new statement, what the statement does to the belief."""
        return [_classes(Verdict, self._model().softmax("decide", *pair)) for pair in pairs]

    def match(self, description: str, texts: Iterable[str]) -> list[Match]:
        """For each text, whether the description means it. It ranks well; a threshold alone is not enough to act on."""
        return [_classes(Match, self._model().softmax("match", description, text)) for text in texts]

    def turn(self, messages: Iterable[tuple[str, str]]) -> list[TurnLabels]:
        """For each role and text, what the message holds. Every role but ``assistant`` counts as ``user``."""
        prefixed = (f"{'assistant' if role == 'assistant' else 'user'}: {text}" for role, text in messages)
        return [_classes(TurnLabels, self._model().sigmoid("turn", text)) for text in prefixed]

    def keep(self, sentences: Iterable[str]) -> list[float]:
        """For each sentence of a person, how likely it is worth remembering for longer than the conversation."""
        logits = (self._model().logits("keep", f"user: {text}")[0] for text in sentences)
        return [1 / (1 + math.exp(-logit)) for logit in logits]

    def triggers(self, sentences: Iterable[str]) -> list[TriggerLabels]:
        """For each sentence that a person types to an agent at work, what is worth writing down at once."""
        return [_classes(TriggerLabels, self._model().sigmoid("triggers", f"user: {text}")) for text in sentences]

    def lasting(self, sentences: Iterable[str]) -> list[Lasting]:
        """For each sentence of a person, for how long what it says will hold, and whether it is understood alone."""
        return [_classes(Lasting, self._model().sigmoid("lasting", f"user: {text}")) for text in sentences]

    def __call__(self, messages: Iterable[tuple[str, str]]) -> list[TurnLabels]:
        """As ``turn``: the judge is a labeller of sentences."""
        return self.turn(messages)

    def relevance(self, question: str, texts: Iterable[str]) -> list[float]:
        """For each text, as "[date] Speaker: text", a logit of how far it answers the question."""
        return [self._model().logits("relevance", question, text)[0] for text in texts]

    def _model(self) -> "model.PairModel":
        return model.loaded(self.folder / MODEL, _labels(self.folder / LABELS))


def judge_of(settings: Settings) -> Judge | None:
    """The judge, loaded by its first question; None where it is switched off or not installed."""
    judge = Judge()
    return judge if settings.judge == "on" and judge.ready() else None


def _classes(values: type[_Classes], probabilities: Sequence[tuple[str, float]]) -> _Classes:
    return values(**dict(probabilities))


@lru_cache(maxsize=2)
def _labels(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The class names of each output in their order. Raises ``ProviderError`` unless they are the fields above."""
    expected = {"decide": Verdict, "match": Match, "turn": TurnLabels, "triggers": TriggerLabels, "lasting": Lasting}
    try:
        labels = {head: tuple(names) for head, names in json.loads(path.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ProviderError(f"the judge's labels cannot be read from {path}; reinstall the package") from error
    for head, values in expected.items():
        if sorted(labels.get(head, ())) != sorted(field.name for field in fields(values)):
            raise ProviderError(f"{path} has other labels for {head!r} than this version; reinstall the package")
    return tuple(sorted(labels.items()))
