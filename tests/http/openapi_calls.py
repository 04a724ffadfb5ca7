"""Calls of every operation of an OpenAPI document, and the requests that arrive."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from requests_of_tools import generated
from schemathesis_requests import MARK, VARIABLE, Oracle, compared, read_document, server_path
from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver.openapi_imports import import_openapi_files
from toolspec.importers.openapi.services import OpenApiOptions
from toolspec.runtime import Registry, ToolError
from toolspec.runtime.definition import ToolDefinition
from toolspec.runtime.http import HttpBinding, HttpRequest, PooledClient
from toolspec.runtime.validation import SchemaCheck
from toolspec.shared.samples import NoSampleError, sample
from upstream import Upstream, response

ODD = (
    "a b", "ü€", "a/b?c#d&e=f+g", "5%zz", "a,b|c;d", "\"\\'", "[x]", "0", "true", "a\nb", "~!*()", "{id}",
)  # fmt: skip
NOT_SENDABLE = (
    "has characters that a header cannot have",
    "leads to another path: `.` or `..`",
    "is null, and the path needs it",
    "is empty, and the path needs it",
)


@dataclass
class Report:
    """What became of the calls of a document."""

    operations: set[str] = field(default_factory=set)
    calls: int = 0
    nulls: int = 0
    """Calls with a null somewhere."""
    refused: Counter[str] = field(default_factory=Counter)
    """Calls that were refused before anything was sent, by error."""
    differences: list[str] = field(default_factory=list)


class OpenApiCalls:
    """An imported document whose handlers send to a server that records."""

    def __init__(self, file: Path, folder: Path, patch: Any, upstream: Upstream) -> None:
        (folder / "toolspec.toml").write_text('specs = ["specs"]\n')
        done = import_openapi_files([str(file)], folder / "specs", OpenApiOptions())
        self.diagnostics = done.diagnostics
        self.tools: list[ToolDefinition] = []
        if not done.value:
            return
        self._upstream = upstream
        upstream.answers(response(b"", 404))
        document = read_document(file)
        self._oracle = Oracle(document)
        name = generated(folder, patch)
        (module,) = (folder / name).glob("*/http.py")
        package = import_module(f"{name}.{module.parent.name}")
        self.tools += package.SERVICE.tools
        (handlers,) = (
            value
            for key, value in vars(import_module(f"{package.__name__}.http")).items()
            if key.endswith("HttpHandlers") and key != "HttpHandlers"
        )
        self.bindings: Mapping[str, HttpBinding] = handlers._bindings
        self._client = _Diverted(upstream)
        without_program = type("Handlers", (handlers,), {"_authorize": _authorize})
        self._registry = _bound(package, without_program(self._client), server_path(document))

    def problems(self, code: str = "") -> list[Diagnostic]:
        """Return the errors of the import, or its diagnostics of one code."""
        return [
            each
            for each in self.diagnostics
            if (each.code == code if code else each.severity is Severity.ERROR)
        ]

    async def send(self, tool: ToolDefinition, arguments: dict[str, Any]) -> None:
        """Send the request of one call."""
        async with self.connected():
            await self._error(tool, arguments)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await self._client.aclose()

    async def compare(self, tool: ToolDefinition, report: Report) -> None:
        """Call a tool with several arguments, and report where a request differs."""
        binding = self.bindings.get(tool.method)
        if binding is None:
            return
        operation = f"{binding.method} {binding.path}"
        report.differences += [f"{operation}: {each}" for each in self._oracle.faults(binding)]
        for arguments in _arguments(tool, Random(operation)):  # noqa: S311 - no secret
            self._upstream.requests.clear()
            report.calls += 1
            report.nulls += ": null" in json.dumps(arguments)
            error = await self._error(tool, arguments)
            if not self._upstream.requests:
                report.refused[error] += 1
                continue
            report.operations.add(operation)
            (received,) = self._upstream.requests
            sent, wanted = compared(received), self._oracle.request(binding, arguments)
            if sent != wanted:
                report.differences.append(
                    f"{operation} {json.dumps(arguments)}:\nsent   {sent}\nwanted {wanted}"
                )
            allowed = self._oracle.credentials(binding)
            if received.credentials(MARK) not in allowed:
                report.differences.append(f"{operation}: sent {received}\nallowed {allowed}")

    async def _error(self, tool: ToolDefinition, arguments: dict[str, Any]) -> str:
        """Call a tool, and return the error with which every call ends, as nothing is found."""
        registry, name = self._registry, tool.full_name
        try:
            if not tool.streaming:
                return f"result {await registry.call(name, arguments, approver=_approve)}"
            async with aclosing(registry.stream(name, arguments, approver=_approve)) as chunks:
                return f"chunks {[chunk async for chunk in chunks]}"
        except ToolError as error:
            return f"{error.code}: {error.message}"


class _Diverted:
    """Sends each request to a server on loopback, whatever server its tool names."""

    def __init__(self, upstream: Upstream) -> None:
        self._client = PooledClient(allow_private=True)
        self._origin = upstream.url

    async def send(self, method: str, url: str, headers: Any, content: bytes) -> Any:
        parts = urlsplit(url)
        target = url[len(f"{parts.scheme}://{parts.netloc}") :]
        return await self._client.send(method, self._origin + target, headers, content)

    async def aclose(self) -> None:
        await self._client.aclose()


async def _authorize(_: object, request: HttpRequest, __: object) -> HttpRequest:
    return request


def _approve(_: object) -> bool:
    return True


def _bound(package: ModuleType, handlers: Any, path: str) -> Registry:
    service = package.SERVICE
    settings = dict.fromkeys(json.loads(service.settings_schema).get("required", ()), VARIABLE)
    settings["baseUrl"] = f"https://api.example.com{path}"
    options: dict[str, Any] = {"settings": settings}
    if service.credentials_schema:
        fields = json.loads(service.credentials_schema)["properties"].items()
        values = {name: f"{name}-{MARK}" for name, each in fields if each.get("type") == "string"}
        options["credentials"] = lambda _: values
    registry: Registry = package.bind(handlers, **options)
    return registry


def _arguments(tool: ToolDefinition, chance: Random) -> Iterator[dict[str, Any]]:
    """Yield valid arguments of a tool: all of them, some with odd texts, and some with a null."""
    accepts = SchemaCheck(tool.arguments_schema, tool.formats).accepts
    schema = json.loads(tool.arguments_schema)
    schema.get("properties", {}).pop("idempotency_key", None)
    required = set(schema.get("required", ()))
    for branches in (schema, _shuffled(schema, chance)):
        try:
            value: Any = sample(json.dumps(branches), str(chance.random()), tool.formats)
        except NoSampleError:
            continue
        yield value
        kept = [name for name in value if name in required or chance.random() < 0.7]
        candidates = [{name: _odd(value[name], chance) for name in kept}]
        candidates += [{**value, name: None} for name in value]
        yield from [each for each in candidates if accepts(each)][:3]
    if not required:
        yield {}


def _shuffled(schema: Any, chance: Random) -> Any:
    """Return a schema with its alternatives in another order, of which a sample takes the first."""
    if isinstance(schema, list):
        return [_shuffled(item, chance) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: chance.sample(inner, len(inner))
        if key in ("anyOf", "oneOf") and isinstance(inner, list)
        else inner
        for key, inner in ((key, _shuffled(value, chance)) for key, value in schema.items())
    }


def _odd(value: Any, chance: Random) -> Any:
    """Return a value half of whose texts are odd ones."""
    if isinstance(value, str):
        return chance.choice((value, chance.choice(ODD)))
    if isinstance(value, list):
        return [_odd(item, chance) for item in value]
    if isinstance(value, dict):
        return {key: _odd(item, chance) for key, item in value.items()}
    return value
