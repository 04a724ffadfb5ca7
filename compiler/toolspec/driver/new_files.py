"""Creates the files of `init`: all or none, never over an existing one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import user_kinds
from toolspec.driver.review_files import append_lines, review_lines
from toolspec.schema.shipped import read_schema
from toolspec.sinks.markdown import cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic

# For editors: schemas of a service, and of a file that one includes.
_SCHEMAS = ("service.v1.schema.json", "part.v1.schema.json")
# The files of a new project are templates beside this module.
_STARTER, _SUFFIX = "starter", ".j2"


def start_project(folder: Path, base: Path) -> Checked[tuple[str, ...]]:
    """Create a project with one service in a folder; return the paths of its files.

    If any file exists, all existing ones are reported and nothing is written. Existing files about
    reviews get a line more. Reported paths are relative to `base`.
    """
    files = dict(_starter(folder.resolve().name))
    lines = review_lines(folder.resolve())
    files |= {line.name: line.text for line in lines if not line.exists}
    advice = "choose another folder, or move it away"
    problems = create({folder / name: text for name, text in files.items()}, base, advice)
    if problems:
        return Checked((), problems)
    refused = tuple(append_lines(folder, (line for line in lines if line.exists), base))
    return Checked(tuple(sorted({*files, *(line.name for line in lines)})), refused)


def create(files: Mapping[Path, str], base: Path, advice: str) -> tuple[Diagnostic, ...]:
    """Create files and their folders; after any diagnostic nothing is written."""
    taken = dict.fromkeys(at for path in files for at in _in_the_way(path))
    if taken:
        shown = (os.path.relpath(at, base) for at in taken)
        return tuple(user_kinds.EXISTS.at(None, path=path, advice=advice) for path in shown)
    created: list[Path] = []
    path = base
    try:
        for path, text in files.items():
            _make_folders(path.parent, created)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                created.append(path)
                file.write(text)
    except OSError as error:
        for new in reversed(created):
            new.rmdir() if new.is_dir() else new.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        return (user_kinds.UNWRITABLE.at(None, path=os.path.relpath(path, base), reason=reason),)
    return ()


def _in_the_way(path: Path) -> Iterator[Path]:
    """Yield files in the place of a new file or of one of its folders."""
    if os.path.lexists(path):
        yield path
    for folder in path.parents:
        if os.path.lexists(folder):
            if not folder.is_dir():
                yield folder
            return


def _make_folders(folder: Path, created: list[Path]) -> None:
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    for parent in reversed(missing):
        parent.mkdir()
        created.append(parent)


def _starter(project: str) -> Iterator[tuple[str, str]]:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    title = cell(project)  # a folder's name needs escaping too
    # The output is not HTML, and keeps the template's final newline.
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / _STARTER, encoding="utf-8"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the reason above
    )
    for name in templates.list_templates(filter_func=lambda file: file.endswith(_SUFFIX)):
        yield name.removesuffix(_SUFFIX), templates.get_template(name).render(project=title)
    for name in _SCHEMAS:
        yield f"schemas/{name}", read_schema(name)
