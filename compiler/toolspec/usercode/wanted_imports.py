"""Imports required by added methods, and local names for all names that they use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.targets.python.code import INDENT, WIDTH
from toolspec.targets.python.imports import in_order
from toolspec.usercode.stub_text import REFUSAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.usercode.imports import Bindings, ImportedName
    from toolspec.usercode.required_methods import RequiredMethod, RequiredMethods

RUNTIME = "toolspec.runtime"
TYPES = ".types"


@dataclass(frozen=True, slots=True)
class WantedImports:
    """Imports to add, separately for type checkers, and the local names.

    Each is a module, a name there, and the local name. `module` is the service's generated module.
    """

    at_run_time: tuple[tuple[str, str, str], ...]
    for_checkers: tuple[tuple[str, str, str], ...]
    names: Mapping[str, str]
    module: str


def wanted_imports(
    bound: Bindings, required: RequiredMethods, methods: Iterable[RequiredMethod], package: str
) -> WantedImports:
    """Return the imports that some methods need and a file lacks.

    A name with another meaning in the file is imported under an alias.
    """
    is_lazy = any(
        item.module == "__future__" and item.name == "annotations" for item in bound.imported
    )
    module = _package_of(bound, required) or f"{package}.{required.service.names.module}"
    sources = dict.fromkeys(pair for method in methods for pair in required.sources(method))
    names: dict[str, str] = {}
    missing: dict[bool, list[tuple[str, str, str]]] = {True: [], False: []}
    for home, name in [(RUNTIME, REFUSAL), *sources]:
        hidden = is_lazy and name != REFUSAL
        origin = _Origin(home, name, required.service.names.module)
        local_names = _known(bound, origin, hidden=hidden)
        if local_names:
            names[name] = local_names
            continue
        names[name] = _free(bound, origin, set(names.values()))
        missing[hidden].append((module if home == TYPES else home, name, names[name]))
    return WantedImports(tuple(missing[False]), tuple(missing[True]), names, module)


def import_lines(wanted: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield one statement a module for (module, name, local name), formatted, LF inside."""
    by_module: dict[str, dict[str, str]] = {}
    for module, name, local in wanted:
        by_module.setdefault(module, {})[name] = local
    for module in sorted(by_module, key=_section):
        aliases = by_module[module]
        names = [
            name if aliases[name] == name else f"{name} as {aliases[name]}"
            for name in in_order(aliases, ignoring_case=True)
        ]
        line = f"from {module} import {', '.join(names)}"
        if len(line) + len(INDENT) > WIDTH:
            inside = "".join(f"{INDENT}{name},\n" for name in names)
            line = f"from {module} import (\n{inside})"
        yield line


def section(module: str) -> int:
    """Return the import block of a module: 0 standard library, 1 runtime, 2 generated."""
    if module in {"collections.abc", "typing"}:
        return 0
    return 1 if module.partition(".")[0] == "toolspec" else 2


def _section(module: str) -> tuple[int, str]:
    return section(module), module


@dataclass(frozen=True, slots=True)
class _Origin:
    """Origin of a name: its module, `.types` for types of a generated service."""

    home: str
    name: str
    service: str

    def is_of(self, imported: ImportedName) -> bool:
        """Return whether an import provides this name."""
        if imported.name not in {self.name, "*"}:
            return False
        match self.home:
            case ".types":
                return imported.is_of(self.service)
            case "collections.abc":
                return imported.module in {"collections.abc", "typing"}
            case home:
                return imported.module == home or imported.module.startswith(f"{RUNTIME}.")


def _known(bound: Bindings, origin: _Origin, *, hidden: bool) -> str:
    """Return the local name of an imported name; empty if it is unavailable."""
    for item in bound.by_name.get(origin.name, ()) + bound.by_name.get("*", ()):
        if not origin.is_of(item) or (item.for_checkers and not hidden):
            continue
        local = origin.name if item.name == "*" else item.local
        if not _means_other(bound, origin, local):
            return local
    return ""


def _means_other(bound: Bindings, origin: _Origin, local: str) -> bool:
    same = bound.by_local.get(local, ())
    return local in bound.others or not all(map(origin.is_of, same))


def _free(bound: Bindings, origin: _Origin, taken: set[str]) -> str:
    local = origin.name
    while _means_other(bound, origin, local) or local in taken:
        local += "_"
    return local


def _package_of(bound: Bindings, required: RequiredMethods) -> str:
    """Return the module from which the file imports the service's classes, or any of its names."""
    roles = {f"{required.stem}Handlers", f"{required.stem}Stubs"}
    ours = [item for item in bound.imported if item.is_of(required.service.names.module)]
    ours.sort(key=lambda item: item.name not in roles)
    package = ours[0].module if ours else ""
    return package.removesuffix(".handlers").removesuffix(".types")
