"""Signatures of a service's handler methods, and the imports that types need."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.targets.python.expressions import NONE, OBJECT, STRING, names_in, subscript, union
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import HOMES
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.ir import Service, Tool
    from toolspec.targets.python.expressions import Expression
    from toolspec.targets.python.service_types import ServiceTypes, ToolTypes


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter after `self`; `is_optional` ones have the default None."""

    name: Identifier
    type: Expression
    is_optional: bool = False
    is_keyword: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """A method without its body; `tool` is the full name of its tool, empty for a hook."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    returns: Expression
    doc: str
    is_async: bool = False
    streams: bool = False
    tool: str = ""

    @property
    def types(self) -> Iterator[Expression]:
        """The types of its parameters and of its result."""
        for parameter in self.parameters:
            yield parameter.type
        yield self.returns


@dataclass(frozen=True, slots=True)
class Signatures:
    """Method signatures of one service."""

    service: Service
    types: ServiceTypes

    @property
    def tools(self) -> Iterator[tuple[Tool, ToolTypes]]:
        """The tools, each with its types."""
        return zip(self.service.tools, self.types.tools, strict=True)

    @property
    def stem(self) -> str:
        """Prefix of the service's class names."""
        return self.service.names.class_stem

    def handlers(self) -> Iterator[tuple[Tool, Signature]]:
        """Yield the handler methods of a service, each with its tool."""
        context = subscript("Context", self.types.settings, self.types.credentials)
        ctx = Parameter(Identifier("ctx"), context)
        for tool, types in self.tools:
            taken = Parameter(Identifier("input"), types.input)
            yield tool, _handler(tool, types, (taken, ctx))
            given = Parameter(Identifier("output"), types.output)
            if tool.verify:
                doc = f"Return why the result of `{tool.names.full}` is wrong, or None."
                yield tool, _second("verify", tool, (taken, given, ctx), doc)
            if tool.revert:
                metadata = subscript("Mapping", STRING, OBJECT)
                noted = Parameter(Identifier("metadata"), metadata)
                doc = f"Undo `{tool.names.full}`; return why that is impossible, or None."
                yield tool, _second("revert", tool, (taken, given, noted, ctx), doc)


@lru_cache(maxsize=256)
def tool_documentation(description: str) -> str:
    """Return the documentation of a tool's methods: its handler's and those of both clients."""
    return documentation(description, depth=2)


def _handler(tool: Tool, types: ToolTypes, parameters: tuple[Parameter, ...]) -> Signature:
    return Signature(
        Identifier(tool.names.method),
        parameters,
        types.answer,
        tool_documentation(tool.description),
        is_async=types.chunk is None,
        streams=types.chunk is not None,
        tool=tool.names.full,
    )


def _second(verb: str, tool: Tool, parameters: tuple[Parameter, ...], doc: str) -> Signature:
    return Signature(
        Identifier(f"{verb}_{tool.names.method}"),
        parameters,
        union((STRING, NONE)),
        documentation(doc, depth=2),
        is_async=True,
        tool=tool.names.full,
    )


def homes(expressions: Iterable[Expression], declared: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the imports that some types need, as (source, name); builtins need none."""
    for found in names_in(expressions):
        if found in declared:
            yield ".types", found
        elif found in HOMES:
            yield HOMES[found], found
