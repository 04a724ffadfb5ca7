"""Stores the record of a compile, by `last_compile.py`.

A separate module, because a compile with nothing to do only reads the record.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import toolspec
from toolspec.driver.incremental.fingerprints import fingerprints_of
from toolspec.driver.incremental.last_compile import store_record
from toolspec.driver.output.paths import STATE
from toolspec.schema.shipped import schema_folder
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.driver.build import Build


def store_output(build: Build, key: str, status: int, text: str) -> None:
    """Store the output of a compile whose artifacts are written, under a key for the command.

    Nothing is stored if a rule or a target comes from another distribution, since its files are not
    known here.
    """
    from_others = build.project.config.lint.plan.installed
    if from_others or not all(map(discovery.is_built_in, build.targets)):
        return
    outputs = [
        str(build.out / path) for path in (STATE, *(change.path for change in build.changes))
    ]
    inputs = {**build.fingerprints, **fingerprints_of(outputs), **fingerprints_of(compiler())}
    store_record(str(build.project.root), key, inputs, (status, text), build.until)


def compiler() -> Iterator[str]:
    """Yield the files that decide how documents are compiled: compiler, schemas, validator.

    Packages that no compile imports are left out: a test compares `_NOT_COMPILING` with the imported
    modules.
    """
    for name in ("jsonschema_rs", "jsonschema", "toolspec"):
        spec = find_spec(name)
        yield from (
            str(Path(location).parent)
            for location in (spec and spec.submodule_search_locations) or ()
        )
    for root in (Path(toolspec.__file__).parent, schema_folder()):
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if name not in _NOT_COMPILING and name[0] != "."]
            yield folder
            yield from (
                os.path.join(folder, file)  # noqa: PTH118 - hundreds of them
                for file in files
                if not file.endswith(".md")  # a rule's manual decides no compile
            )


_NOT_COMPILING = {
    "__pycache__",
    "handlers",
    "importers",
    "reference",
    "runtime",
    "serving",
    "starter",
}
