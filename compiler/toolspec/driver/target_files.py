"""Files of the project that options of targets name: `logo` and `guides` of the site."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.driver import kinds
from toolspec.driver.incremental.fingerprints import fingerprint_to_read
from toolspec.shared.records import dataclass, replace
from toolspec.syntax.limits import MAX_BYTES
from toolspec.targets.target import ProjectFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Project
    from toolspec.source import Span
    from toolspec.targets.target import Target

_MOST = 1000


def with_target_files(
    project: Project,
    targets: Iterable[Target],
    diagnostics: list[Diagnostic],
    fingerprints: dict[str, str],
) -> Project:
    """Return the project with the files that options of targets name.

    Adds to `diagnostics` those that cannot be read, and to `fingerprints` the fingerprints of all files
    and folders.
    """
    config = project.config
    files: dict[str, tuple[ProjectFile, ...]] = {}
    for target in targets:
        options = config.target_options.get(target.name, {})
        read: list[ProjectFile] = []
        for option, suffixes in target.file_options.items():
            value = options.get(option, [])
            names = value if isinstance(value, list) else [value]
            for index, name in enumerate(names):
                if not isinstance(name, str):  # reported by the schema of the options
                    continue
                at = (option, index) if isinstance(value, list) else (option,)
                span = config.span("target", target.name, *at)
                reader = _Reader(project.root, option, suffixes, span, diagnostics, fingerprints)
                read += reader.files(name)
        if read:
            files[target.name] = tuple(read)
    return replace(project, config=replace(config, files=files)) if files else project


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the files of an option; `suffixes` are those of the files that are read."""

    root: Path
    option: str
    suffixes: tuple[str, ...]
    span: Span | None
    diagnostics: list[Diagnostic]
    fingerprints: dict[str, str]

    def files(self, name: str) -> Iterator[ProjectFile]:
        """Yield a file, or those of a folder by name; folders and files that begin with a dot are left out."""
        name = os.path.normpath(name).replace(os.sep, "/")
        path = self.root / name
        self.fingerprints[str(path)] = fingerprint_to_read(str(path))
        if not self._is_inside(path, name):
            return
        if not os.path.isdir(path):  # noqa: PTH112 - `Path.is_dir` raises for a name that is too long
            if path.suffix.lower() in self.suffixes:
                yield from self._file(name, path.name)
            else:
                self._report(name, "has another type", f"name a file {self._types()}")
            return
        found = [*self._below(path)]
        if not found:
            self._report(name, f"has no file {self._types()}", "name another folder, or add one")
        if len(found) > _MOST:
            self._report(name, f"has more than {_MOST:,} files", "name a smaller folder")
            return
        for file in found:
            yield from self._file(f"{name}/{file}", file)

    def _below(self, folder: Path) -> Iterator[str]:
        for parent, folders, names in os.walk(folder):
            folders[:] = sorted(each for each in folders if not each.startswith("."))
            self.fingerprints[parent] = fingerprint_to_read(parent)
            for name in sorted(names):
                if name.lower().endswith(self.suffixes) and not name.startswith("."):
                    yield (Path(parent) / name).relative_to(folder).as_posix()

    def _file(self, path: str, name: str) -> Iterator[ProjectFile]:
        from toolspec.driver.output.paths import is_safe  # its package loads what writes

        full = self.root / path
        self.fingerprints[str(full)] = fingerprint_to_read(str(full))
        if not self._is_inside(full, path):
            return
        if not is_safe(name):
            self._report(path, "has a name that not every system takes", "rename the file")
            return
        try:
            if not full.is_file():
                problem = "is not a regular file" if full.exists() else "does not exist"
                self._report(path, problem, f"name a file {self._types()}")
                return
            with full.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            self._report(path, f"cannot be read: {error.strerror}", "make it readable")
            return
        if len(data) > MAX_BYTES:
            self._report(path, "is larger than 1 MiB", "make it smaller")
            return
        yield ProjectFile(self.option, path, name, data, self.span)

    def _is_inside(self, path: Path, name: str) -> bool:
        is_inside = Path(os.path.realpath(path)).is_relative_to(self.root.resolve())
        if not is_inside:
            self._report(name, "is outside the project", "copy it into the project")
        return is_inside

    def _types(self) -> str:
        *others, last = self.suffixes
        return f"that ends in {', '.join(others)} or {last}" if others else f"that ends in {last}"

    def _report(self, path: str, problem: str, suggestion: str) -> None:
        self.diagnostics.append(
            kinds.TARGET_FILE.at(
                self.span, path=path, option=self.option, problem=problem, suggestion=suggestion
            )
        )
