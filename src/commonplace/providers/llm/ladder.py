"""Returns an answer as a Pydantic model, in the most reliable form that the endpoint supports.

json_schema → json_object with the schema in the prompt → fenced text with the schema in the prompt. The next form is
tried if the endpoint refuses one or answers with something other than a JSON object. The form that worked is
remembered. An object that does not validate is sent back once with the problems; then it is a ``ProviderError``. So a
question costs at most one request per form and one repair.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol

from pydantic import BaseModel, ValidationError

from commonplace.errors import Invalid, ProviderError
from commonplace.providers.http import Rejected, no_constant
from commonplace.providers.llm import Completion, Form, Model, ModelPrompt, Structured, TokenUsage

REFUSES_FORM = frozenset({400, 404, 415, 422, 501})
SENT_BACK = 8_000  # maximum characters of a wrong answer that are sent back
COMPLAINTS = 10
# Models think aloud before they answer; the thoughts are not part of the answer.
THOUGHT_ENDS = "</think>"


class Ask(Protocol):
    def __call__(self, prompt: ModelPrompt, form: Form, schema: dict[str, Any] | None) -> Completion:
        """One request to the endpoint, metered and retried."""


class Ladder:
    """The forms of one endpoint and the one that worked last."""

    def __init__(self, forms: Sequence[Form] = tuple(Form)) -> None:
        self._forms = tuple(forms)
        self._at = 0

    @property
    def form(self) -> Form:
        """The form of request to try first for the next question."""
        return self._forms[self._at]

    def structured(self, ask: Ask, prompt: ModelPrompt, schema: type[Model]) -> Structured[Model]:
        """Raises ``ProviderError`` if no form gives a valid answer; the budget counts the cost anyway."""
        question = _Question(ask, prompt, schema)
        for at in range(self._at, len(self._forms)):
            value = question.asked(self._forms[at], last=at == len(self._forms) - 1)
            if value is not None:
                self._at = at
                return Structured(value, question.usage)
        raise ProviderError("the language model's endpoint refuses every form of the question")


class _Question(Generic[Model]):
    """One question on its way through the forms: its cost so far, and whether the repair is used up."""

    def __init__(self, ask: Ask, prompt: ModelPrompt, schema: type[Model]) -> None:
        self.ask, self.prompt, self.schema = ask, prompt, schema
        self.strict = strict_schema(schema)
        self.usage = TokenUsage()

    def asked(self, form: Form, *, last: bool) -> Model | None:
        """The valid answer, or None if this form does not work. Raises ``ProviderError`` after the repair."""
        prompt = self.prompt if form is Form.SCHEMA else self.prompt.instructed(self._shape(form))
        try:
            answer = self._answer(prompt, form)
        except Rejected as error:
            if last or form is Form.TEXT or error.status not in REFUSES_FORM:
                raise
            return None
        parsed = only_object(answer)
        if parsed is None and not last:
            return None
        value, wrong = _fitting(parsed, self.schema)
        return value if value is not None else self._repaired(prompt, form, answer, wrong)

    def _repaired(self, prompt: ModelPrompt, form: Form, answer: str, wrong: str) -> Model:
        reply = f"That answer does not fit:\n{wrong}\n\n{self._shape(form)}"
        second = self._answer(prompt.answered(answer[:SENT_BACK].strip() or "(empty)", reply), form)
        value, _ = _fitting(only_object(second), self.schema)
        if value is None:
            raise ProviderError(
                f"the language model's answer is not a valid {self.schema.__name__}, also when asked again"
            )
        return value

    def _answer(self, prompt: ModelPrompt, form: Form) -> str:
        completion = self.ask(prompt, form, self.strict if form is Form.SCHEMA else None)
        self.usage += completion.usage
        if completion.cut:
            raise ProviderError("the language model's answer reached max_tokens before it was whole")
        return completion.text

    def _shape(self, form: Form) -> str:
        where = "in one block fenced with ```json" if form is Form.TEXT else "with nothing around it"
        schema = json.dumps(self.strict, ensure_ascii=False)
        return f"Answer with exactly one JSON object, {where}. It must fit this JSON Schema:\n{schema}"


def only_object(text: str) -> dict[str, Any] | None:
    """The JSON object in ``text``, bare, fenced or within prose; None if there is none or it is ambiguous.

    The first brace must begin it and no brace may follow it. Searching further could take a part of a broken object, or
    one that a quoted text planted.
    """
    answer = text.rpartition(THOUGHT_ENDS)[2]
    start = answer.find("{")
    if start < 0:
        return None
    try:
        value, end = json.JSONDecoder(parse_constant=no_constant).raw_decode(answer, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "{" not in answer[end:] else None


def _fitting(parsed: dict[str, Any] | None, schema: type[Model]) -> tuple[Model | None, str]:
    """The object as ``schema``, or None and the message for the model.

    The validation error itself is not passed on: it quotes what the model said about people.
    """
    if parsed is None:
        return None, "there must be exactly one JSON object in it"
    try:
        return schema.model_validate_json(json.dumps(parsed), strict=True), ""
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)[:COMPLAINTS]
        places = (".".join(map(str, detail["loc"]))[:100] or "object" for detail in details)
        rows = [f"- {place}: {detail['msg'][:200]}" for place, detail in zip(places, details, strict=True)]
        return None, "\n".join(rows)


# Some strict endpoints refuse one of these. The answer is validated against the model anyway.
LEFT_OUT = frozenset(
    {"title", "default", "examples", "pattern", "format", "multipleOf", "uniqueItems"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
    | {"minItems", "maxItems", "minProperties", "maxProperties"}
)


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every object closed, every property required, no keywords beside a reference.

    Raises ``Invalid`` for a field with free keys, which a closed object cannot have.
    """
    schema = model.model_json_schema()
    strict = _strict(schema)
    if not isinstance(strict, dict):
        raise Invalid(f"{model.__name__} has no object schema")
    return strict


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(child) for child in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    out = {key: _inside(key, value) for key, value in node.items() if key not in LEFT_OUT}
    if len(out.get("allOf", ())) == 1:
        out |= out.pop("allOf")[0]
    if out.get("type") == "object":
        if not out.get("properties"):
            raise Invalid("a strict schema cannot hold an object of free keys")
        out |= {"additionalProperties": False, "required": list(out["properties"])}
    return out


def _inside(key: str, value: Any) -> Any:
    """Names of properties and definitions are not keywords, and enumeration values are not schemas."""
    if key in ("properties", "$defs"):
        return {name: _strict(child) for name, child in value.items()}
    return value if key in ("enum", "const", "required") else _strict(value)
