"""Configuration of a project: search, parsing, defaults, and the import name of its output."""

from __future__ import annotations

import os
import re
from itertools import product
from math import isfinite
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from toolspec.diagnostics import Checked, did_you_mean
from toolspec.driver import kinds, renders
from toolspec.driver.lint.lint import Lint
from toolspec.driver.toml_locations import Table, TomlLocations
from toolspec.ir import Formats
from toolspec.shared.records import dataclass, field, replace
from toolspec.shared.spelling import nearest
from toolspec.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.contract.policy import ContractPolicy
    from toolspec.driver.renders import Render
    from toolspec.source import Span
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import ProjectFile

DEFAULT_TARGETS = ("python", "catalog", "docs", "mcp-2026-07-28", "mcp-2025-11-25")


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a project; language.md documents the defaults.

    `approve` has the modes of `serve` for the risk tiers 2 and 3, empty for its default; `store` is
    the URL of its store. `handlers` maps a service to the user's file, `path.py` or
    `path.py:Class`. `package` is the
    module from which that code imports the generated one; if empty, it is derived from `out`.
    `declared` are the targets of the project when a command makes others: checks of all targets
    include these. `declared_out` is its output folder when a command writes to another. `policy` has
    the settings of `[contract]`, None without any; `contract` is the text of the project's contract,
    for the changelog of its docs. `files` are those that options of targets name, by target.
    """

    specs: tuple[str, ...] = ("specs",)
    out: str = "generated"
    declared_out: str = ""
    targets: tuple[str, ...] = DEFAULT_TARGETS
    declared: tuple[str, ...] = ()
    separator: str = "_"
    store: str = field(default="", repr=False)
    approve: tuple[str, str] = ("", "")
    target_options: Mapping[str, JsonObject] = field(default_factory=dict)
    handlers: Mapping[str, str] = field(default_factory=dict)
    package: str = ""
    lint: Lint = field(default_factory=Lint)
    formats: Formats = Formats.ASSERT
    renders: tuple[Render, ...] = ()
    templates: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    policy: ContractPolicy | None = field(default=None, compare=False, repr=False)
    contract: str = field(default="", compare=False, repr=False)
    files: Mapping[str, tuple[ProjectFile, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    locations: TomlLocations | None = field(default=None, compare=False, repr=False)
    table: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def options_of(self, target: str) -> JsonObject:
        """Return the options of a target."""
        if target == renders.TARGET:
            return {"renders": [*map(renders.Render.options, self.renders)]}
        return self.target_options.get(target, {})

    def render_span(self, path: str) -> Span | None:
        """Return the span of the first `to` of `[[render]]` that makes a path."""
        return next((render.to_span for render in self.renders if render.makes(path)), None)

    def span(self, *path: str | int) -> Span | None:
        """Return the span of a setting, or None without a configuration file."""
        return self.locations.value(*self.table, *path) if self.locations else None


@dataclass(frozen=True, slots=True)
class Project:
    """A configuration with the folder that its paths are relative to.

    Without a configuration file the root is the folder where the search started.
    """

    root: Path
    config: Config
    is_configured: bool = True


# Names of configuration files, each with its table.
_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("toolspec.toml", ()),
    ("pyproject.toml", ("tool", "toolspec")),
)


def locations(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield possible configurations, nearest first: a file, and the table inside it."""
    for parent, (name, table) in product((folder, *folder.parents), _FILES):
        yield parent / name, table


def find_project(folder: Path) -> Checked[Project]:
    """Return the project of a folder: the nearest configuration upwards, else the folder itself."""
    folder = folder.resolve()
    for path, table in locations(folder):
        config = _read(path, path.name, table) if path.is_file() else None
        if config is not None:
            return Checked(Project(path.parent, config.value), config.diagnostics)
    return Checked(Project(folder, Config(), is_configured=False))


def _read(path: Path, name: str, table: tuple[str, ...]) -> Checked[Config] | None:
    """Return the configuration of a file, or None if the file has no such table."""
    source = SourceFile(name, path.read_text(encoding="utf-8-sig", errors="replace"))
    try:
        path.read_text(encoding="utf-8")
        content = _parsed(source.text)
    except ValueError as error:
        if table and "[tool.toolspec" not in source.text:
            return None
        if isinstance(error, UnicodeDecodeError):
            return Checked(Config(), (_encoding_error(source, error),))
        return Checked(Config(), (_syntax_error(source, str(error)),))
    content = _table(content, table)
    if content is None:
        return None
    return _bind(TomlLocations(source), table, content)


def _parsed(text: str) -> object:
    """Return the value of a text in TOML. Raises ValueError for any other text."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        message = "arrays or tables are nested too deeply"
        raise ValueError(message) from None


def _table(content: object, path: Iterable[str]) -> object:
    """Return what a file has at the path of a table; None without it."""
    for name in path:
        content = content.get(name) if isinstance(content, dict) else None
    return content


def contract_settings(read: Callable[[str], str]) -> Mapping[str, object]:
    """Return `[contract]` of a configuration as it is written; `read` returns the text of a file.

    It is empty without a configuration, and for one that cannot be parsed.
    """
    for name, table in _FILES:
        try:
            content = _parsed(read(name).removeprefix("\ufeff"))
        except ValueError:
            return {}
        content = _table(content, table)
        if isinstance(content, dict) and (table or content):
            settings = content.get("contract")
            return settings if isinstance(settings, dict) else {}
    return {}


_AT = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")
_PLAIN = {
    "Cannot overwrite a value": "this key is already defined",
    "Cannot declare": "this table is already defined",
    "Expected newline or end of document after a statement": "unexpected text after a value",
    "Unclosed array": "`[` is never closed",
    "Unclosed inline table": "`{` is never closed",
    "Expected '=' after a key in a key/value pair": "expected `=` after the key",
    "Expected ']' at the end of a table declaration": "expected `]` after the name of the table",
    "Unterminated string": "the quotes are never closed",
    "Invalid value": "expected a value: text in quotes, a number, a list or a table",
    "Exceeds the limit": "an integer has too many digits",  # the limit of Python
    "Illegal character '\\n'": "the quotes are not closed on this line",
}


def _syntax_error(source: SourceFile, error: str) -> Diagnostic:
    """Return a diagnostic at the syntax error that `tomllib` reports."""
    at = _AT.search(error)
    problem = error[: at.start()] if at else error
    reason = next((text for words, text in _PLAIN.items() if problem.startswith(words)), problem)
    offset = len(source.text.rstrip())
    if at and at[1]:
        offset = source.line_starts[int(at[1]) - 1] + int(at[2]) - 1
    elif at is None:
        offset = 0
    end = min(offset + 1, len(source.text))
    return kinds.CONFIG_SYNTAX.at(source.span(max(0, min(offset, end - 1)), end), reason=reason)


def _encoding_error(source: SourceFile, error: UnicodeDecodeError) -> Diagnostic:
    """Return a diagnostic at the first byte that is not UTF-8."""
    before = error.object[: error.start].decode("utf-8-sig")
    offset = len(before.replace("\r\n", "\n"))  # as the text of the source was read
    reason = f"byte 0x{error.object[error.start]:02X} at offset {error.start} is not UTF-8"
    return kinds.CONFIG_SYNTAX.at(source.span(offset, offset + 1), reason=reason)


def _bind(locations: TomlLocations, path: tuple[str, ...], content: object) -> Checked[Config]:
    """Return the configuration of a table; report each key that is unknown or of a wrong type."""
    stated: dict[str, object] = {}
    diagnostics: list[Diagnostic] = []
    table = content if isinstance(content, dict) else {}
    whole = Table(table, "", path, locations, diagnostics)
    if table is not content:
        key, wrong = ".".join(path), kinds.CONFIG_WRONG_TYPE
        whole.add(wrong.at(whole.span(), key=key, expected="a table", example=f"[{key}]"))
    usable = {} if _has_unusable(whole) else table
    for key, value in usable.items():
        declared = _KEYS.get(key)
        if declared is None:
            fitting = [name for name, candidate in _KEYS.items() if candidate.accepts(value)]
            close = nearest(key, fitting)
            hint = f"did you mean `{close}`?" if close else did_you_mean(key, _KEYS)
            whole.add(kinds.CONFIG_UNKNOWN_KEY.at(whole.key_span(key), key=key, suggestion=hint))
        elif not declared.accepts(value):
            whole.report_type(key, declared.expected, declared.example)
        else:
            stated[declared.field] = tuple(value) if isinstance(value, list) else value
    if "formats" in stated:
        stated["formats"] = Formats(str(stated["formats"]))
    if "approve" in table and "approve" in stated:
        modes = table["approve"]
        tiers = modes if isinstance(modes, dict) else dict.fromkeys(_TIERS, modes)
        stated["approve"] = tuple(tiers.get(tier, "") for tier in _TIERS)
    if "lint" in stated:
        from toolspec.driver.lint.config import read_lint

        stated["lint"] = read_lint(whole.table("lint", "[lint]"))
    if "policy" in stated:
        from toolspec.driver.contract.policy_config import read_policy

        stated["policy"] = read_policy(whole.table("contract", "[contract]"))
    if "renders" in stated:
        stated["renders"] = renders.bind_renders(whole.tables("render"))
        targets = stated.get("targets")
        chosen = targets if isinstance(targets, tuple) else DEFAULT_TARGETS
        stated["targets"] = tuple(dict.fromkeys((*chosen, renders.TARGET)))
    stated |= {"locations": locations, "table": path}
    return Checked(replace(Config(), **stated), tuple(diagnostics))


def _has_unusable(table: Table) -> bool:
    """Return whether a table has a value that no key takes; report each of them."""
    found = [*_unusable(table.value)]
    for at, expected, example in found:
        key = ".".join(step for step in at if isinstance(step, str))
        wrong = kinds.CONFIG_WRONG_TYPE
        table.add(wrong.at(table.span(*at), key=key, expected=expected, example=example))
    return bool(found)


def _unusable(
    value: object, at: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Yield what no key takes: its path, what is expected there, and an example.

    TOML has dates, which only ends of suppressions are, numbers that are not finite, and texts that
    no path can be.
    """
    match value:
        case dict() | list():
            members = value.items() if isinstance(value, dict) else enumerate(value)
            for step, member in members:
                yield from _unusable(member, (*at, step))
        case str():
            if "\0" in value:
                yield at, "a string without U+0000", '"docs"'
        case float():
            if not isfinite(value):
                yield at, "a finite number", "1.5"
        case int():
            pass
        case _ if at[0] not in _DATED:
            yield at, "a string, a number, a list or a table", f'"{value}"'


_DATED = ("contract", "lint")
_TIERS = ("2", "3")
"""Risk tiers that need approval."""
_APPROVE = ("host", "ask", "auto")


class _Key(NamedTuple):
    """A key of the configuration, with its type and its field of `Config`."""

    field: str
    accepts: Callable[[object], bool]
    expected: str
    example: str


def _is_text(value: object) -> bool:
    return isinstance(value, str)


# The characters of public names in service.v1.schema.json.
_SEPARATOR = re.compile(r"[A-Za-z0-9_./-]+")


def _is_separator(value: object) -> bool:
    return isinstance(value, str) and _SEPARATOR.fullmatch(value) is not None


def _is_formats(value: object) -> bool:
    return value in tuple(Formats)


def _is_approve(value: object) -> bool:
    modes = value.values() if isinstance(value, dict) else (value,)
    tiers = value.keys() if isinstance(value, dict) else ()
    return set(tiers) <= set(_TIERS) and all(mode in _APPROVE for mode in modes)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_table_of_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(member, str) for member in value.values())


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_package(value: object) -> bool:
    return isinstance(value, str) and all(part.isidentifier() for part in value.split("."))


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _is_tables(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(member, dict) for member in value.values())


_KEYS = {
    "specs": _Key("specs", _is_texts, "a list of strings", 'specs = ["specs"]'),
    "out": _Key("out", _is_text, "a string", 'out = "generated"'),
    "targets": _Key("targets", _is_texts, "a list of strings", 'targets = ["python", "docs"]'),
    "separator": _Key(
        "separator",
        _is_separator,
        "one or more of letters, digits, `_`, `-`, `.` and `/`",
        'separator = "__"',
    ),
    "store": _Key("store", _is_text, "a string", 'store = "sqlite:///calls.sqlite3"'),
    "approve": _Key(
        "approve",
        _is_approve,
        "`host`, `ask` or `auto`, or a table of them for the risk tiers 2 and 3",
        'approve = {2 = "host", 3 = "ask"}',
    ),
    "target": _Key("target_options", _is_tables, "a table of tables", "[target.python]"),
    "handlers": _Key(
        "handlers",
        _is_table_of_texts,
        "a table of strings",
        'handlers = {github = "app/github.py"}',
    ),
    "package": _Key("package", _is_package, "a dotted module name", 'package = "app.generated"'),
    "formats": _Key("formats", _is_formats, "`assert` or `annotate`", 'formats = "annotate"'),
    "lint": _Key("lint", _is_table, "a table", "[lint]"),
    "contract": _Key("policy", _is_table, "a table", "[contract]"),
    "render": _Key("renders", _is_list_of_tables, "a list of tables", "[[render]]"),
}


# Folders that contain packages and are not packages themselves.
_SOURCE_ROOTS = frozenset({"src", "lib", "python"})


def package_of(root: Path, config: Config) -> str:
    """Return the module of the generated code, derived from the output folder's path.

    `src/app/generated` is `app.generated`. If a path as a whole is not a module, its last part is.
    """
    if config.package:
        return config.package
    parts = PurePath(os.path.relpath(root / config.out, root)).parts
    names: list[str] = []
    for part in reversed(parts):
        if not part.isidentifier() or (part in _SOURCE_ROOTS and names):
            break
        names.insert(0, part)
    return ".".join(names) or "generated"
