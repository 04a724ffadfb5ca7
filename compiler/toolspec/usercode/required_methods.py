"""Methods that a service requires: one for each tool, and those of `verify` and `revert`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.targets.python.expressions import names_in
from toolspec.targets.python.service_types import service_types
from toolspec.targets.python.signatures import Signatures, homes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Service, Tool
    from toolspec.targets.python.signatures import Signature


@dataclass(frozen=True, slots=True)
class RequiredMethod:
    """One required method: its tool, and the generated signature that it must match."""

    tool: Tool
    signature: Signature

    @property
    def name(self) -> str:
        """The method's name in Python."""
        return str(self.signature.name)

    @property
    def is_handler(self) -> bool:
        """Whether it is the tool's handler, and not its verify or revert method."""
        return self.name == self.tool.names.method

    @property
    def streams(self) -> bool:
        """Whether it must be an async generator."""
        return self.is_handler and self.tool.streaming

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its positional parameters, without the context."""
        return tuple(parameter.name for parameter in self.signature.parameters[:-1])

    @property
    def head(self) -> str:
        """The signature in Python, without annotations."""
        names = ", ".join(("self", *(parameter.name for parameter in self.signature.parameters)))
        return f"async def {self.name}({names})"


@dataclass(frozen=True)
class RequiredMethods:
    """All required methods of a service, with the names that its generated package exports."""

    service: Service
    signatures: Signatures
    methods: tuple[RequiredMethod, ...]

    @property
    def stem(self) -> str:
        """Prefix of the service's class names."""
        return self.service.names.class_stem

    @cached_property
    def declared(self) -> frozenset[str]:
        """The names of the service's types."""
        return frozenset(self.signatures.types.declared)

    @property
    def exported(self) -> frozenset[str]:
        """Every name that can be imported from the service's package."""
        roles = (f"{self.stem}{role}" for role in ("Client", "Hooks"))
        return frozenset((*self.declared, *roles, *self.bases, "SERVICE", "bind"))

    @property
    def bases(self) -> frozenset[str]:
        """The classes of the package that handlers inherit from."""
        roles = ["Handlers", "Stubs"]
        if any(tool.http for tool in self.service.tools):
            roles.append("HttpHandlers")
        return frozenset(f"{self.stem}{role}" for role in roles)

    @cached_property
    def owners(self) -> dict[str, Tool]:
        """The types that belong to one tool alone, by name: arguments, input, output and chunk."""
        return {
            name: tool
            for tool, types in self.signatures.tools
            for own in (types.arguments, types.input, types.output, types.told)
            for name in names_in([own])
            if name in self.declared
        }

    def sources(self, method: RequiredMethod) -> Iterator[tuple[str, str]]:
        """Yield the imports for a method's signature, as (module, name).

        The service's types come from `.types`.
        """
        return homes(method.signature.types, self.declared)


def required_methods(service: Service) -> RequiredMethods:
    """Return the methods that a service requires, in the order of its tools."""
    signatures = Signatures(service, service_types(service))
    methods = tuple(RequiredMethod(tool, method) for tool, method in signatures.handlers())
    return RequiredMethods(service, signatures, methods)
