"""The built-in templates of targets, and copies of them for a user's folder."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec import targets
from toolspec.driver import user_kinds
from toolspec.driver.new_files import create
from toolspec.shared.records import dataclass
from toolspec.targets.templates import template_names

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Project

_VIEW = re.compile(r"\{#-? view (\d+)\b")


@dataclass(frozen=True, slots=True)
class BuiltInTemplate:
    """A template of a target; `view` is the version of the view that it reads."""

    name: str
    target: str
    view: int
    path: Path

    def copy_text(self) -> str:
        """Return the text for a user's folder: the template with a comment on its origin."""
        comment = (
            f"{{# view {self.view} of the {self.target} target: "
            f"`toolspec templates --view {self.target}` lists its values #}}\n"
        )
        return comment + self.path.read_text(encoding="utf-8")


@cache
def built_in_templates() -> tuple[BuiltInTemplate, ...]:
    """Return all built-in templates by target and name; those that begin with `_` are parts."""
    folders = sorted(Path(targets.__path__[0]).glob("*/templates"))
    return tuple(
        BuiltInTemplate(name, folder.parent.name, _view_version(folder.parent.name), folder / name)
        for folder in folders
        for name in template_names(folder)
    )


def _view_version(target: str) -> int:
    version: int = import_module(f"{targets.__name__}.{target}.view").VIEW_VERSION
    return version


def replacement(template: BuiltInTemplate, project: Project) -> Path | None:
    """Return the user's file that replaces a template in a project; None without one."""
    folder = project.config.target_options.get(template.target, {}).get("templates")
    if not isinstance(folder, str):
        return None
    path = project.root / folder / template.name
    return path if path.is_file() else None


def view_of(path: Path) -> int | None:
    """Return the version of the view in the comment of a copied template; None without one."""
    match = _VIEW.match(path.read_text(encoding="utf-8", errors="replace"))
    return int(match[1]) if match else None


def eject(
    template: BuiltInTemplate, folder: Path, base: Path, *, is_overwriting: bool
) -> tuple[Diagnostic, ...]:
    """Copy a template to a folder; an existing file is only replaced with `is_overwriting`."""
    path, text = folder / template.name, template.copy_text()
    if folder.exists() and not folder.is_dir():
        return (user_kinds.UNWRITABLE.at(None, path=str(folder), reason="it is not a folder"),)
    if path.is_file():
        if path.read_text(encoding="utf-8", errors="replace") == text:
            return ()
        if is_overwriting:
            try:
                path.write_text(text, encoding="utf-8", newline="\n")
            except OSError as error:
                reason = error.strerror or str(error)
                return (user_kinds.UNWRITABLE.at(None, path=str(path), reason=reason),)
            return ()
    return create({path: text}, base, "pass --overwrite to replace your changes")
