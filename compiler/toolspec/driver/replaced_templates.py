"""Templates of the user that replace built-in ones: `[target.NAME] templates` and `--templates`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.diagnostics import did_you_mean
from toolspec.driver import kinds
from toolspec.driver.incremental.fingerprints import fingerprint_to_read
from toolspec.driver.renders import read_inside, read_text
from toolspec.driver.template_files import built_in_templates
from toolspec.shared.records import dataclass, field, replace
from toolspec.targets.templates import SUFFIX, is_include

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Config, Project
    from toolspec.source import Span
    from toolspec.targets.target import Target

OPTION = "templates"


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder of templates of some targets: its name for messages, and where it is configured.

    The files of a configured one have to lie below `root`.
    """

    path: Path
    name: str
    targets: AbstractSet[str]
    span: Span | None = None
    root: Path | None = None


@dataclass(slots=True)
class TemplateReader:
    """Reads the user's templates; `built_in` are those that they can replace, with their targets."""

    built_in: Mapping[str, str]
    diagnostics: list[Diagnostic]
    fingerprints: dict[str, str]
    _read: dict[str, dict[str, str]] = field(default_factory=dict)

    def texts(self, folder: _Folder) -> dict[str, str]:
        """Return the texts of a folder's templates by name; report those that replace nothing."""
        key = str(folder.path)
        if key not in self._read:
            self._read[key] = self._texts(folder)
        return self._read[key]

    def _texts(self, folder: _Folder) -> dict[str, str]:
        try:
            names = self._names(folder.path)
            inside = (each for each in folder.path.iterdir() if not each.is_symlink())
            for inner in sorted(each for each in inside if each.is_dir()):
                for name in self._names(inner):
                    shown = f"{folder.name}/{inner.name}/{name}"
                    hint = f"move it into `{folder.name}`: templates are read from one folder"
                    self.diagnostics.append(
                        kinds.UNKNOWN_TEMPLATE.at(folder.span, path=shown, suggestion=hint)
                    )
        except OSError as error:
            self._report(folder, folder.name, f"cannot be read: {error.strerror}")
            return {}
        texts: dict[str, str] = {}
        for name in names:
            path, shown = folder.path / name, f"{folder.name}/{name}"
            target = self.built_in.get(name)
            if target not in folder.targets and not is_include(name):
                hint = self._advice(name, folder)
                self.diagnostics.append(
                    kinds.UNKNOWN_TEMPLATE.at(folder.span, path=shown, suggestion=hint)
                )
                continue
            self.fingerprints[str(path)] = fingerprint_to_read(str(path))
            try:
                texts[name] = read_inside(folder.root, path) if folder.root else read_text(path)
            except OSError as error:
                self._report(folder, shown, f"cannot be read: {error.strerror}")
            except ValueError as error:
                self._report(folder, shown, str(error))
        return texts

    def _names(self, folder: Path) -> list[str]:
        """Return the names of the templates in a folder. Raises OSError."""
        self.fingerprints[str(folder)] = fingerprint_to_read(str(folder))
        return sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))  # noqa: PTH208 - names, not paths

    def _advice(self, name: str, folder: _Folder) -> str:
        """Return what to do about a template that replaces nothing."""
        if name in self.built_in:
            target = self.built_in[name]
            return f"it is a template of `{target}`: set `templates` of `[target.{target}]` too"
        names = [name for name, target in self.built_in.items() if target in folder.targets]
        return did_you_mean(name, names)

    def _report(self, folder: _Folder, path: str, problem: str) -> None:
        self.diagnostics.append(kinds.TEMPLATES.at(folder.span, path=path, problem=problem))


def with_replaced_templates(
    project: Project,
    targets: Iterable[Target],
    folder: Path | None,
    diagnostics: list[Diagnostic],
    fingerprints: dict[str, str],
) -> Project:
    """Return the project with the texts of the user's templates for each target, by path.

    `folder` has templates for all targets. Adds to `diagnostics` the folders and files that cannot be
    read, and files that replace no template, and to `fingerprints` the fingerprints of all of them. A
    template that others include may have any name.
    """
    config = project.config
    if not folder and not any(OPTION in options for options in config.target_options.values()):
        return project
    built_in = {template.name: template.target for template in built_in_templates()}
    every_target = frozenset(built_in.values())
    folders: dict[str, _Folder] = {}
    for target in targets:
        name = _configured_folder(config, target.name)
        if target.name not in every_target or not (folder or name):
            continue
        if folder:
            shown = os.path.relpath(folder, project.root)
            folders[target.name] = _Folder(folder, shown, every_target)
        else:
            sharing = frozenset(
                each for each in config.target_options if _configured_folder(config, each) == name
            )
            span = config.span("target", target.name, OPTION)
            shown = name.replace(os.sep, "/")
            folders[target.name] = _Folder(project.root / name, shown, sharing, span, project.root)
    reader = TemplateReader(built_in, diagnostics, fingerprints)
    texts = {
        name: {f"{each.name}/{file}": text for file, text in reader.texts(each).items()}
        for name, each in folders.items()
    }
    return replace(project, config=replace(config, templates=texts))


def _configured_folder(config: Config, target: str) -> str:
    """Return the folder of a target's templates in the configuration; empty without one."""
    folder = config.target_options.get(target, {}).get(OPTION)
    return os.path.normpath(folder) if isinstance(folder, str) else ""
