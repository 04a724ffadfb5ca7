"""Completion candidates for a shell: tools, services and targets of the current project.

They are requested on a key press, so nothing of the compiler is imported: names come from the last
output, and those of services also from the documents.
"""

from __future__ import annotations

import os
import re
from typing import Any

ASK = "__complete"
"""First word of a completion request; no command has this name."""

_DOCUMENT = re.compile(
    r"""^["']?service["']?\s*:[\s{]*["']?name["']?\s*:\s*["']?([A-Za-z][\w-]*)""", re.MULTILINE
)
_JSON_DOCUMENT = re.compile(r'"service"\s*:\s*\{\s*"name"\s*:\s*"([A-Za-z][\w-]*)"')
_TOOL = re.compile(r'^            full_name="([\w./-]+)",$', re.MULTILINE)
_SERVICE = re.compile(r'^    name="([\w-]+)",$', re.MULTILINE)
_SAFE = re.compile(r"[\w./@-]+")
_LONGEST = 1 << 20
_ENDINGS = (".yaml", ".yml", ".json")


def candidates(kind: str) -> list[str]:
    """Return the names of a kind, sorted; empty if none are known.

    A name that a shell could read as more than one word is left out.
    """
    root, table = _project(os.getcwd())  # noqa: PTH109 - pathlib is not loaded
    out = os.path.join(root, _text(table, "out", "generated"))  # noqa: PTH118 - the same
    match kind:
        case "tools":
            names = _compiled(out, "tools", _TOOL)
        case "services":
            names = {*_compiled(out, "services", _SERVICE), *_documented(root, table)}
        case _:
            names = set()
    return sorted(name for name in names if _SAFE.fullmatch(name))


def _project(folder: str) -> tuple[str, dict[str, Any]]:
    """Return the root and the configuration of the project around a folder."""
    at = folder
    while True:
        for file, keys in (("toolspec.toml", ()), ("pyproject.toml", ("tool", "toolspec"))):
            table = _toml(f"{at}/{file}")
            for key in keys:
                table = table.get(key) if isinstance(table, dict) else None
            if isinstance(table, dict):
                return at, table
        above = os.path.dirname(at)  # noqa: PTH120 - pathlib is not loaded
        if above == at:
            return folder, {}
        at = above


def _toml(path: str) -> Any:
    text = _read(path)
    if not text:
        return None
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _compiled(out: str, kind: str, pattern: re.Pattern[str]) -> set[str]:
    """Return names from the catalog, or else from the generated packages."""
    if text := _read(f"{out}/catalog.json", longest=64 * _LONGEST):
        import json

        try:
            entries = json.loads(text)[kind]
            names = {str(entry["name"]) for entry in entries}
            return names | {str(one) for entry in entries for one in entry.get("aliases", ())}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return set()
    packages = (f"{out}/{name}/__init__.py" for name in _names_in(out))
    return {
        name for path in packages for name in pattern.findall(_read(path, longest=64 * _LONGEST))
    }


def _documented(root: str, table: dict[str, Any]) -> set[str]:
    """Return the services that documents name in the most common place: below `service`."""
    specs = table.get("specs")
    folders = (
        [one for one in specs if isinstance(one, str)] if isinstance(specs, list) else ["specs"]
    )
    names: set[str] = set()
    for folder in folders:
        at = os.path.join(root, folder)  # noqa: PTH118 - pathlib is not loaded
        files = [f"{at}/{name}" for name in _names_in(at)] or [at]
        for path in files:
            if path.endswith(_ENDINGS):
                text = _read(path)
                names.update(_DOCUMENT.findall(text), _JSON_DOCUMENT.findall(text))
    return names


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - pathlib is not loaded
    except OSError:
        return []


def _read(path: str, longest: int = _LONGEST) -> str:
    """Return the text of a file; empty if it is missing or too long."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > longest:  # noqa: PTH113, PTH202
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""


def _text(table: dict[str, Any], key: str, default: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else default
