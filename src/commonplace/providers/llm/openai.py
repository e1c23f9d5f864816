"""Any OpenAI-compatible endpoint: Ollama, vLLM, LM Studio, llama.cpp, a proxy, OpenAI itself."""

from collections.abc import Mapping
from typing import Any

from commonplace.providers.llm import Form, ModelPrompt


class ChatCompletions:
    path = "/chat/completions"
    forms = (Form.SCHEMA, Form.OBJECT, Form.TEXT)
    optional = frozenset({"temperature", "max_tokens"})
    counts = ("prompt_tokens", "completion_tokens")

    def __init__(self, model: str) -> None:
        self._model = model

    def question(
        self,
        prompt: ModelPrompt,
        max_tokens: int,
        form: Form,
        schema: Mapping[str, Any] | None,
        without: frozenset[str],
    ) -> dict[str, Any]:
        mappings = [{"role": reply.role, "content": reply.text} for reply in prompt.then]
        system = [{"role": "system", "content": prompt.system}] if prompt.system else []
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [*system, {"role": "user", "content": prompt.user}, *mappings],
            "max_completion_tokens" if "max_tokens" in without else "max_tokens": max_tokens,
        }
        if "temperature" not in without:
            body["temperature"] = 0
        if form is Form.SCHEMA:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            }
        elif form is Form.OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def answer(self, body: Mapping[str, Any]) -> tuple[str | None, bool]:
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            return None, False
        content = message.get("content")
        return content if isinstance(content, str) else None, choice.get("finish_reason") == "length"
