"""Writes the record of a compile, which `record.py` reads at the next one."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import toolspec
from toolspec.driver.cache.fingerprints import stamps_of
from toolspec.driver.cache.record import remember
from toolspec.driver.output.paths import STATE
from toolspec.schema.bundled import schema_folder
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
    outputs = [str(build.out / path) for path in (STATE, *(each.path for each in build.changes))]
    stamps = {**build.stamps, **stamps_of(outputs), **stamps_of(compiler())}
    remember(str(build.project.root), key, stamps, (status, text), build.until)


def compiler() -> Iterator[str]:
    """Yield the files that decide how documents are compiled: compiler, schemas, validator.

    Packages that no compile imports are left out: a test compares `_APART` with the imported
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
            folders[:] = [each for each in folders if each not in _APART and each[0] != "."]
            yield folder
            yield from (
                os.path.join(folder, each)  # noqa: PTH118 - hundreds of them
                for each in files
                if not each.endswith(".md")  # a rule's manual decides no compile
            )


_APART = {"__pycache__", "handlers", "importers", "reference", "runtime", "serving", "starter"}
