"""Versions of a site side by side: a folder for each, and a list beside the folders.

Each version is compiled from its own documents, and published once. The list is a script beside the
folders, which every page of every version loads, so that the pages of an old version know newer ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.targets.site.kinds import VERSION
from toolspec.targets.target import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import OptionSpan

LIST = "versions.js"
PAGES = "pages.js"


def own_version(options: JsonObject) -> str:
    """Return the version that is compiled; empty without versions, for `versions` the newest."""
    return str(options.get("version") or next(iter(all_versions(options)), ""))


def all_versions(options: JsonObject) -> list[str]:
    """Return the versions of the menu, the newest first."""
    names = options.get("versions") or [options.get("version", "")]
    return [str(name) for name in names if name] if isinstance(names, list) else []


def check_versions(options: JsonObject, span: OptionSpan) -> Iterator[Diagnostic]:
    """Yield a diagnostic for a version that is not in the menu."""
    version = own_version(options)
    if version and version not in all_versions(options):
        yield VERSION.at(span("version"), version=version)


def version_list(names: Iterable[str]) -> str:
    """Return the script with the versions of the menu."""
    return f"toolspecVersions({canonical_json([*names])})\n"


def page_list(version: str, pages: Iterable[str], folder: str) -> Artifact:
    """Return the script with the pages of a version, by which another version finds its own page there."""
    names = ",\n".join(map(canonical_json, sorted(pages)))
    text = f"toolspecPages({canonical_json(version)}, [\n{names}\n])\n"
    return Artifact(f"{folder}/{PAGES}", text)
