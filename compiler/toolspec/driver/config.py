"""The project's configuration: where it is found, what it may say, and its defaults."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, did_you_mean
from toolspec.driver import kinds
from toolspec.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

DEFAULT_TARGETS = ("python", "catalog", "docs", "mcp-2026-07-28", "mcp-2025-11-25")


@dataclass(frozen=True, slots=True)
class Config:
    """What a build needs to know besides its documents; the defaults are language.md's."""

    specs: tuple[str, ...] = ("specs",)
    out: str = "generated"
    targets: tuple[str, ...] = DEFAULT_TARGETS
    separator: str = "_"
    target_options: Mapping[str, JsonObject] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Project:
    """A configuration with the folder that its paths are relative to."""

    root: Path
    config: Config


def find_project(start: Path) -> Checked[Project]:
    """Return the project around a folder: the nearest configuration upwards, else the folder itself."""
    start = start.resolve()
    for folder in (start, *start.parents):
        for name, table in (("toolspec.toml", ()), ("pyproject.toml", ("tool", "toolspec"))):
            path = folder / name
            if path.is_file():
                found = _read(path, name, table)
                if found is not None:
                    return Checked(Project(folder, found.value), found.diagnostics)
    return Checked(Project(start, Config()))


def _read(path: Path, name: str, table: tuple[str, ...]) -> Checked[Config] | None:
    """Return the configuration in a file; None where the file has no table of ours."""
    source = SourceFile(name, path.read_text(encoding="utf-8", errors="replace"))
    try:
        content: object = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        if table and "[tool.toolspec" not in source.text:
            return None
        return Checked(Config(), (kinds.CONFIG_SYNTAX.at(source.span(0, 0), reason=str(error)),))
    for step in table:
        content = content.get(step) if isinstance(content, dict) else None
    return _bind(source, content) if isinstance(content, dict) else None


def _bind(source: SourceFile, table: dict[str, object]) -> Checked[Config]:
    config, found = Config(), list[Diagnostic]()
    for key, value in table.items():
        match key, value:
            case ("out" | "separator"), str():
                config = replace(config, **{key: value})
            case ("specs" | "targets"), list() if all(isinstance(each, str) for each in value):
                config = replace(config, **{key: tuple(value)})
            case "target", dict() if all(isinstance(each, dict) for each in value.values()):
                config = replace(config, target_options=value)
            case ("out" | "separator" | "specs" | "targets" | "target"), _:
                found.append(_wrong_type(source, key))
            case _:
                known = ("specs", "out", "targets", "separator", "target")
                span, hint = _key_span(source, key), did_you_mean(key, known)
                found.append(kinds.CONFIG_UNKNOWN_KEY.at(span, key=key, suggestion=hint))
    return Checked(config, tuple(found))


def _wrong_type(source: SourceFile, key: str) -> Diagnostic:
    expected, example = {
        "out": ("a string", 'out = "generated"'),
        "separator": ("a string", 'separator = "__"'),
        "specs": ("a list of strings", 'specs = ["specs"]'),
        "targets": ("a list of strings", 'targets = ["python", "docs"]'),
        "target": ("a table of tables", "[target.python]"),
    }[key]
    return kinds.CONFIG_WRONG_TYPE.at(
        _key_span(source, key), key=key, expected=expected, example=example
    )


def _key_span(source: SourceFile, key: str) -> Span:
    """Return where a key is written, as well as TOML without positions lets us know."""
    import re

    word = re.escape(key)
    pattern = rf'^[ \t]*(?:\[[^\]\n]*)?["\']?({word})["\']?(?=[ \t]*[=.\]])'
    found = re.search(pattern, source.text, re.MULTILINE)
    return source.span(*found.span(1)) if found else source.span(0, 0)
