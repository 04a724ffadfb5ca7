"""Names of tools: lookup by full name, alias and version."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeVar

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.service import BoundService

    T = TypeVar("T")

_NAME_SHOWN = 128
"""Characters of an unknown name to quote; no tool's name is longer."""


_TIE = 0.03
"""Maximum difference of similarity for names that match about equally well."""


class Names:
    """Name table of the tools of bound services.

    `name@version` finds exactly that version, or else the tool without a version, which answers
    any; a bare name finds the highest version, and a tool without a version is the lowest. Raises BindError for names with two tools: one version of a
    tool defined twice, or tools that are not versions of each other.
    """

    __slots__ = ("services", "tools")

    tools: dict[str, ToolDefinition]
    services: dict[ToolDefinition, BoundService]
    """The service of each tool."""

    def __init__(self, services: Iterable[BoundService]) -> None:
        self.tools = {}
        self.services = {}
        exact: dict[tuple[str, str], ToolDefinition] = {}
        clashes: dict[tuple[int, int], str] = {}
        entries = ((service, tool) for service in services for tool in service.definition.tools)
        for service, tool in entries:
            is_repeated = tool in self.services
            self.services.setdefault(tool, service)
            for name in (tool.full_name, *tool.aliases):
                conflicting = tool if is_repeated else self._enter(name, tool, exact)
                if conflicting is not None:
                    clashes.setdefault(
                        (id(conflicting), id(tool)), self._clash(name, conflicting, tool)
                    )
        if clashes:
            from toolspec.runtime.errors import BindError

            heading = "these services conflict: names of two tools"
            raise BindError(heading, tuple(clashes.values()))

    @classmethod
    def joined(cls, tables: Sequence[Names], services: Iterable[BoundService]) -> Names:
        """Return the merged names of services with existing tables, rebuilt if they overlap."""
        merged = cls(())
        for table in tables:
            merged.tools.update(table.tools)
            merged.services.update(table.services)
        is_disjoint = len(merged.tools) == sum(len(table.tools) for table in tables)
        return merged if is_disjoint else cls(services)

    def find(self, name: object) -> tuple[BoundService, ToolDefinition] | None:
        """Return the service and tool of a name; None if it is unknown or not a string."""
        tool = entry_of(self.tools, name) or self._unversioned(name)
        return None if tool is None else (self.services[tool], tool)

    def _unversioned(self, name: object) -> ToolDefinition | None:
        """Return the tool without a version for `name@version`; None if there is none."""
        bare, at, _ = name.partition("@") if isinstance(name, str) else ("", "", "")
        highest = self.tools.get(bare) if at else None
        if highest is None or not highest.version:
            return highest
        same = (tool for tool in self.services if bare in (tool.full_name, *tool.aliases))
        return next((tool for tool in same if not tool.version), None)

    def unknown(self, name: object) -> ToolError:
        """Return the error for an unknown name, with the nearest names."""
        return unknown(self.tools, name)

    def _enter(
        self, name: str, tool: ToolDefinition, exact: dict[tuple[str, str], ToolDefinition]
    ) -> ToolDefinition | None:
        """Add a name for a tool; return a conflicting tool, or None."""
        same = exact.setdefault((name, tool.version), tool)
        other = self.tools.setdefault(name, tool)
        if tool.version:
            self.tools[f"{name}@{tool.version}"] = tool
        if other is tool:
            return None
        from toolspec.shared.versions import precedence  # few tools have two versions

        if precedence(other.version) < precedence(tool.version):
            self.tools[name] = tool
        if same is not tool:
            return same
        return None if other.full_name == tool.full_name else other

    def _clash(self, name: str, *tools: ToolDefinition) -> str:
        return f"`{name}`: {' and '.join(map(self._origin, tools))}"

    def _origin(self, tool: ToolDefinition) -> str:
        service = self.services[tool].definition
        return tool.source or service.source or f"service {service.name}"


def exact_name(tool: ToolDefinition) -> str:
    """Return the name of exactly this version of a tool: `name@version` if it has one."""
    return f"{tool.full_name}@{tool.version}" if tool.version else tool.full_name


def entry_of(table: Mapping[str, T], name: object) -> T | None:
    """Return the entry of a name; None if it is unknown or not a string."""
    return table.get(name) if isinstance(name, str) else None


def unknown(table: Iterable[str], name: object) -> ToolError:
    """Return the error for an unknown name, with the nearest names."""
    import difflib

    from toolspec.runtime.errors import ToolError

    if not isinstance(name, str):
        message = f"a tool's name must be a string, not {type(name).__name__}"
        return ToolError.not_found(message, code="unknown_tool")
    shown = name[:_NAME_SHOWN]
    nearest = _nearest(shown, difflib.get_close_matches(shown, tuple(table), n=3))
    hint = (
        f"; did you mean {' or '.join(f'`{near_name}`' for near_name in nearest)}?"
        if nearest
        else ""
    )
    message = f"there is no tool `{shown}`{hint}"
    details = {"tool": shown, "nearest": nearest}
    return ToolError.not_found(message, code="unknown_tool", details=details)


def _nearest(name: str, candidates: list[str]) -> list[str]:
    """Return the best of some matches, and those that are about as good."""
    import difflib

    ratios = [difflib.SequenceMatcher(None, candidate, name).ratio() for candidate in candidates]
    return [
        candidate
        for candidate, ratio in zip(candidates, ratios, strict=True)
        if ratio > ratios[0] - _TIE
    ]
