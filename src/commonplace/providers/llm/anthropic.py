"""Anthropic's Messages API."""

from collections.abc import Mapping
from typing import Any

from commonplace.providers.llm import Form, ModelPrompt

VERSION = "2023-06-01"


class Messages:
    path = "/messages"
    forms = (Form.SCHEMA, Form.TEXT)  # there is no json_object here
    optional = frozenset({"temperature"})
    counts = ("input_tokens", "output_tokens")

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
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": max_tokens,
            "messages": [{"role": "user", "content": prompt.user}, *mappings],
        }
        if prompt.system:
            body["system"] = prompt.system
        if "temperature" not in without:
            body["temperature"] = 0
        if form is Form.SCHEMA:
            body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return body

    def answer(self, body: Mapping[str, Any]) -> tuple[str | None, bool]:
        content = body.get("content")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        texts = [block.get("text") for block in blocks if block.get("type") == "text"]
        answer = "".join(text for text in texts if isinstance(text, str))
        return answer if texts else None, body.get("stop_reason") == "max_tokens"
