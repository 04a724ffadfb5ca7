"""Method signatures of a service, shared by handlers, stubs and client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.targets.python.expressions import NONE, OBJECT, STRING, names_in, subscript, union
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import HOMES
from toolspec.targets.python.model import UNWRITTEN, Function, Parameter
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.ir import Service, Tool
    from toolspec.targets.python.model import Expression
    from toolspec.targets.python.service_types import ServiceTypes, ToolTypes

SELF = Parameter(Identifier("self"))


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

    @property
    def context(self) -> Parameter:
        """The parameter `ctx`."""
        kind = subscript("Context", self.types.settings, self.types.credentials)
        return Parameter(Identifier("ctx"), kind)

    def handlers(self) -> Iterator[tuple[Tool, Function]]:
        """Yield the handler methods of a service without bodies, each with its tool."""
        for tool, types in self.tools:
            taken = Parameter(Identifier("input"), types.input)
            yield tool, self._handler(tool, types, taken)
            given = Parameter(Identifier("output"), types.output)
            if tool.verify:
                doc = f"Return why the result of `{tool.names.full}` is wrong, or None."
                yield tool, self._second("verify", tool, (taken, given), doc)
            if tool.revert:
                metadata = subscript("Mapping", STRING, OBJECT)
                noted = Parameter(Identifier("metadata"), metadata)
                doc = f"Undo `{tool.names.full}`; return why that is impossible, or None."
                yield tool, self._second("revert", tool, (taken, given, noted), doc)

    def _handler(self, tool: Tool, types: ToolTypes, taken: Parameter) -> Function:
        return Function(
            Identifier(tool.names.method),
            (SELF, taken, self.context),
            types.answer,
            documentation(tool.description, depth=2),
            UNWRITTEN,
            is_async=types.chunk is None,
        )

    def _second(
        self, verb: str, tool: Tool, parameters: tuple[Parameter, ...], doc: str
    ) -> Function:
        return Function(
            Identifier(f"{verb}_{tool.names.method}"),
            (SELF, *parameters, self.context),
            union((STRING, NONE)),
            documentation(doc, depth=2),
            UNWRITTEN,
            is_async=True,
        )


def needed(functions: Iterable[Function], types: ServiceTypes) -> Iterator[tuple[str, str]]:
    """Yield the imports that these functions' signatures need, as (source, name)."""
    annotations = [
        annotation
        for function in functions
        for annotation in (function.returns, *(each.annotation for each in function.parameters))
        if annotation is not None
    ]
    return homes(annotations, frozenset(types.declared))


def homes(expressions: Iterable[Expression], declared: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the imports that some types need, as (source, name); builtins need none."""
    for found in names_in(expressions):
        if found in declared:
            yield ".types", found
        elif found in HOMES:
            yield HOMES[found], found
