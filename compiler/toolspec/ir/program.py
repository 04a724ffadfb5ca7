"""Program: all services of a build with their tools, in the order of a report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.ir.service import Auth, Naming
from toolspec.ir.tool import Formats, Hooks, Timeout
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir.names import ServiceNames
    from toolspec.ir.schema import Schema
    from toolspec.ir.service import Instance, Mode
    from toolspec.ir.tool import Icon, Permission, ScopeRule, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location


@dataclass(frozen=True, slots=True)
class Definition:
    """A schema that several tools share: an entry of `$defs`, or one taken from another file.

    `entry` is equivalent next to all other definitions of the service, each under its name in
    `$defs`: targets that write each definition once use it.
    """

    name: str
    schema: Schema
    entry: JsonValue = None


@dataclass(frozen=True, slots=True)
class Service:
    """One service document with the files it includes."""

    name: str
    names: ServiceNames
    version: str
    title: str
    description: str
    tools: tuple[Tool, ...]
    naming: Naming = Naming.PREFIXED
    definitions: tuple[Definition, ...] = ()
    instructions: str = ""
    category: str = ""
    icons: tuple[Icon, ...] = ()
    settings: Schema | None = None
    auth: Auth = field(default_factory=Auth)
    instances: tuple[Instance, ...] = ()
    modes: tuple[Mode, ...] = ()
    scopes: tuple[ScopeRule, ...] = ()
    permissions: tuple[Permission, ...] = ()
    timeout: Timeout = field(default_factory=Timeout)
    hooks: Hooks = field(default_factory=Hooks)
    formats: Formats = Formats.ASSERT
    extensions: JsonObject = field(default_factory=dict)
    location: Location | None = field(default=None, compare=False, repr=False)
    broken: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    @property
    def file(self) -> str:
        """The file of most of its tools; empty without tools."""
        files = Counter(tool.provenance.file for tool in self.tools)
        return files.most_common(1)[0][0] if files else ""

    """The fields without a value, because a document has an error there.

    With `tools` or `definitions` among them, some are missing.
    """


@dataclass(frozen=True, slots=True)
class Program:
    """All services of a build, sorted by name, each with its tools in document order."""

    services: tuple[Service, ...]
    separator: str = "_"

    @property
    def tools(self) -> Iterator[tuple[Service, Tool]]:
        """Every tool with its service."""
        for service in self.services:
            for tool in service.tools:
                yield service, tool
