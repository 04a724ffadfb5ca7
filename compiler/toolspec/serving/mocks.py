"""Mocks of services: results from examples, or generated from schemas."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.runtime.chunks import as_chunks
from toolspec.runtime.defaults import Defaults
from toolspec.runtime.definition import ServiceDefinition
from toolspec.runtime.errors import ToolError
from toolspec.runtime.names import exact_name
from toolspec.runtime.validation import SchemaCheck
from toolspec.runtime.values import copied
from toolspec.shared.error_categories import CATEGORIES
from toolspec.shared.samples import NoSampleError, sample

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path
    from typing import TypeAlias

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.json_values import JsonObject, JsonValue

    Functions: TypeAlias = dict[str, Callable[..., object]]


class Mocks:
    """Creates mocks with the examples of one catalog, which is read on first use."""

    def __init__(self, catalog: Path, seed: int) -> None:
        self._catalog = catalog
        self._seed = seed
        self._examples: dict[str, list[JsonObject]] | None = None

    def handlers(self, service: ServiceDefinition) -> tuple[Functions, Functions]:
        """Return mocks of a service's handlers and hooks."""
        handlers: Functions = {}
        for tool in service.tools:
            mock = _Mock(self, tool, f"{self._seed}/{tool.full_name}@{tool.version}")
            handlers[tool.method] = mock.stream if tool.streaming else mock.answer
            if tool.verify:
                handlers[f"verify_{tool.method}"] = _agree
            if tool.revert:
                handlers[f"revert_{tool.method}"] = _undo
        return handlers, _idle_hooks(service)

    def settings(
        self, service: ServiceDefinition, passed: JsonObject, mode: str = ""
    ) -> JsonObject:
        """Return the settings passed, plus generated values for missing ones.

        Credentials are omitted, because a mock never signs in. For instances and modes, the values
        are in nested tables.
        """
        if mode:
            table = _inner(passed, "modes")
            return {"modes": {mode: self.settings(service, _inner(table, mode))}}
        if service.instances:
            table = _inner(passed, "instances")
            plain = ServiceDefinition(**{**vars(service), "instances": ()})
            made_for = {
                name: self.settings(plain, _inner(table, name)) for name in service.instances
            }
            return {"instances": {**made_for}}
        stated = {name: value for name, value in passed.items() if name != "credentials"}
        if service.settings_schema is None:
            return stated
        try:
            generated = sample(service.settings_schema, f"{self._seed}/{service.name}")
        except NoSampleError:
            return stated
        return {**generated, **stated} if isinstance(generated, dict) else stated

    def examples(self, tool: ToolDefinition) -> list[JsonObject]:
        """Return the examples of a tool from the catalog."""
        if self._examples is None:
            self._examples = _read(self._catalog)
        return self._examples.get(exact_name(tool), [])


def _inner(table: JsonObject, name: str) -> JsonObject:
    inner = table.get(name)
    return inner if isinstance(inner, dict) else {}


def _read(catalog: Path) -> dict[str, list[JsonObject]]:
    try:
        tools = json.loads(catalog.read_bytes())["tools"]
        return {tool.get("exactName", tool["name"]): tool.get("examples", []) for tool in tools}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # a project may omit the catalog target


class _Mock:
    def __init__(self, mocks: Mocks, tool: ToolDefinition, seed: str) -> None:
        self._mocks = mocks
        self._tool = tool
        self._seed = seed

    async def answer(self, input: JsonValue) -> JsonValue:  # noqa: A002 - a handler's parameter
        """Return the example for this input, else the first example, else a generated value.

        Raises ToolError if an example for this input says so, and `unavailable` if no valid value
        is found.
        """
        for arguments, code in self._failures:
            if arguments == input:
                raise self._error(code)
        for arguments, output in self._answers:
            if arguments == input:
                return output
        return self._answers[0][1] if self._answers else self._generated()

    async def stream(self, input: JsonValue) -> AsyncIterator[JsonValue]:  # noqa: A002 - the same
        """Yield the result in chunks: items, words, or the whole result as the last chunk."""
        whole = await self.answer(input)
        for chunk in self._pieces(whole):
            yield chunk

    @cached_property
    def _examples(self) -> list[tuple[JsonValue, JsonObject]]:
        """The examples, each with its input in the handler's form."""
        defaults = Defaults.of(self._tool.arguments_schema)
        examples = []
        for item in self._mocks.examples(self._tool):
            value = copied(item.get("input"))
            if defaults is not None and isinstance(value, dict):
                defaults.fill(value)
            if self._tool.idempotency != "none" and isinstance(value, dict):
                value.pop("idempotency_key", None)
            examples.append((value, item))
        return examples

    @cached_property
    def _failures(self) -> list[tuple[JsonValue, str]]:
        """The inputs with an example of an error, and its code."""
        return [
            (arguments, str(example["error"]))
            for arguments, example in self._examples
            if example.get("error")
        ]

    @cached_property
    def _answers(self) -> list[tuple[JsonValue, JsonValue]]:
        """The inputs with an example of a valid result, and that result."""
        result = SchemaCheck(self._tool.output_schema, self._tool.formats)
        return [
            (arguments, example["output"])
            for arguments, example in self._examples
            if "output" in example
            and not example.get("error")
            and result.accepts(example["output"])
        ]

    @cached_property
    def _chunk(self) -> SchemaCheck:
        return SchemaCheck(self._tool.chunk_schema or "true", self._tool.formats)

    def _error(self, code: str) -> ToolError:
        declared = {error: (description, again) for error, description, again in self._tool.errors}
        description, again = declared.get(code, (code, False))
        category = CATEGORIES.get(code, "internal")
        return ToolError(code, description or code, category, retryable=again)

    def _generated(self) -> JsonValue:
        try:
            return sample(self._tool.output_schema, self._seed, self._tool.formats)
        except NoSampleError as problem:
            message = (
                f"the mock of `{self._tool.full_name}` has no result: {problem}; add an example"
            )
            raise ToolError.unavailable(message, code="no_sample", retryable=False) from problem

    def _pieces(self, whole: JsonValue) -> list[JsonValue]:
        if self._tool.reduction == "join" and isinstance(whole, str):
            words: list[JsonValue] = [f"{word} " for word in whole.split(" ")]
            words[-1] = whole.rsplit(" ", maxsplit=1)[-1]
            if all(map(self._chunk.accepts, words)):
                return words
        return as_chunks(self._tool, whole)


async def _agree(input: object, output: object) -> None:  # noqa: A002 - the names that bind asks for
    """Accept every result."""


async def _undo(input: object, output: object, metadata: object) -> None:  # noqa: A002 - the same
    """Do nothing: a mock has no effect."""


def _idle_hooks(service: ServiceDefinition) -> Functions:
    hooks: Functions = {}
    for tool in service.tools:
        hooks |= dict.fromkeys(tool.before, _before)
        hooks |= dict.fromkeys(tool.middleware, _middleware)
        hooks |= dict.fromkeys(tool.after, _after)
        hooks |= dict.fromkeys(tool.after_response, _after)
    return hooks


async def _before(_call: object) -> None:
    """Allow every call."""


async def _middleware(_call: object, next: Callable[[], object]) -> object:  # noqa: A002 - its name
    """Return the handler's result unchanged."""
    return await next()  # type: ignore[misc]  # the next stage is awaited


async def _after(_call: object, _result: object) -> None:
    """Keep the result unchanged."""
