"""Imports that added methods need, and the edits that add them in isort's order."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from typing import TYPE_CHECKING

from toolspec.diagnostics import TextEdit
from toolspec.shared.records import dataclass
from toolspec.targets.python.code import INDENT, WIDTH
from toolspec.targets.python.imports import in_order
from toolspec.usercode.python_file import past
from toolspec.usercode.stub_text import REFUSAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.usercode.imports import Bindings, ImportedName
    from toolspec.usercode.python_file import PythonFile
    from toolspec.usercode.required_methods import RequiredMethod, RequiredMethods

    # The module, the name there, and the local name.
    Wanted = tuple[str, str, str]

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
    ours = [item for item in bound.imported if item.is_of(required.service.names.module)]
    ours.sort(key=lambda item: item.name not in required.bases)
    package = ours[0].module if ours else ""
    return package.removesuffix(".handlers").removesuffix(".types")


_FUTURE, _STANDARD, _THIRD_PARTY, _OWN, _LOCAL = range(5)


@dataclass(frozen=True, slots=True)
class ImportBlock:
    """Consecutive imports in one scope of a file, all with one indentation."""

    file: PythonFile
    statements: list[ast.Import | ast.ImportFrom]
    margin: str
    own: frozenset[str]
    """Top-level names of first-party packages, the generated one among them."""

    def edits(self, wanted: Iterable[Wanted]) -> Iterator[TextEdit]:
        """Yield the edits that add imports to a block of at least one statement."""
        by_module: dict[str, list[Wanted]] = defaultdict(list)
        for item in wanted:
            by_module[item[0]].append(item)
        added: dict[int, list[str]] = defaultdict(list)
        for module, names in by_module.items():
            statement = self._extendable(module)
            if statement is None:
                added[self._section(module)] += self._lines(import_lines(names))
                continue
            every = [*_names_of(statement, module), *names]
            span = self.file.source.span(self.file.start(statement), self.file.end(statement))
            yield TextEdit(span, "".join(self._lines(import_lines(every))).strip())
        for section, texts in sorted(added.items()):
            yield from self._insertions(section, texts)

    def _extendable(self, module: str) -> ast.ImportFrom | None:
        """Return the statement to extend with a module's names; None if comments would be lost."""
        for statement in self.statements:
            if not isinstance(statement, ast.ImportFrom) or _module_of(statement) != module:
                continue
            text = self.file.text[self.file.start(statement) : self.file.end(statement)]
            names = [alias.name for alias in statement.names]
            is_plain = not any(sign in text for sign in "#\\;") and "*" not in names
            if is_plain and len(set(names)) == len(names):
                return statement
        return None

    def _insertions(self, section: int, texts: list[str]) -> Iterator[TextEdit]:
        """Yield the insertions of new statements, into their section's group or as a new one."""
        groups = self._groups()
        for kind, group in groups:
            if kind == section:
                yield from (self._within(group, text) for text in texts)
                return
        together, end = "".join(texts), self.file.line_end
        for kind, group in groups:
            if kind > section:
                yield self._insert(self._line_start(group[0]), f"{together}{end}")
                return
        yield self._insert(past(self.file, self.statements[-1]), f"{end}{together}")

    def _within(self, group: list[ast.Import | ast.ImportFrom], text: str) -> TextEdit:
        module = text.split()[1]
        for statement in group:
            if (
                isinstance(statement, ast.ImportFrom)
                and _module_of(statement).lower() > module.lower()
            ):
                return self._insert(self._line_start(statement), text)
        return self._insert(past(self.file, group[-1]), text)

    def _groups(self) -> list[tuple[int, list[ast.Import | ast.ImportFrom]]]:
        """Return the statements in groups separated by empty lines, each with its section."""
        groups: list[list[ast.Import | ast.ImportFrom]] = []
        for statement in self.statements:
            gap = (
                self.file.text[past(self.file, groups[-1][-1]) : self._line_start(statement)]
                if groups
                else ""
            )
            is_parted = any(not line.strip() for line in gap.splitlines())
            # `__future__` imports are a separate group, with an empty line or without.
            if not groups or is_parted or self._section(_module_of(groups[-1][-1])) == _FUTURE:
                groups.append([])
            groups[-1].append(statement)
        return [
            (max(self._section(_module_of(statement)) for statement in group), group)
            for group in groups
        ]

    def _section(self, module: str) -> int:
        return _section_of(module, self.own)

    def _lines(self, statements: Iterable[str]) -> list[str]:
        """Return statements as lines of the file: indented, each with its line end."""
        end = self.file.line_end
        return [
            "".join(f"{self.margin}{line}{end}" for line in statement.split("\n"))
            for statement in statements
        ]

    def _line_start(self, statement: ast.stmt) -> int:
        return self.file.start(statement) - len(self.margin)

    def _insert(self, offset: int, text: str) -> TextEdit:
        return TextEdit(self.file.source.span(offset, offset), text)


def sections(wanted: Iterable[Wanted], own: frozenset[str]) -> str:
    """Return new imports as lines with LF, with an empty line between two sections."""
    by_section: dict[int, list[Wanted]] = defaultdict(list)
    for item in wanted:
        by_section[_section_of(item[0], own)].append(item)
    return "\n\n".join("\n".join(import_lines(items)) for _, items in sorted(by_section.items()))


def _section_of(module: str, own: frozenset[str]) -> int:
    """Return the isort section of a module; generated packages are first-party."""
    root = module.partition(".")[0]
    if not root:
        return _LOCAL
    if root == "__future__":
        return _FUTURE
    if root in sys.stdlib_module_names:
        return _STANDARD
    return _OWN if root in own else _THIRD_PARTY


def import_run(statements: Iterable[ast.stmt]) -> list[ast.Import | ast.ImportFrom]:
    """Return the imports at the beginning of some statements."""
    run: list[ast.Import | ast.ImportFrom] = []
    for statement in statements:
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        run.append(statement)
    return run


def _module_of(statement: ast.Import | ast.ImportFrom) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name
    return "." * statement.level + (statement.module or "")


def _names_of(statement: ast.ImportFrom, module: str) -> list[Wanted]:
    return [(module, name.name, name.asname or name.name) for name in statement.names]
