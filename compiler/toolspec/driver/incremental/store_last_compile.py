"""Stores the record of a compile, by `last_compile.py`.

A separate module, because a compile with nothing to do only reads the record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.incremental.compiler_files import compiler_files
from toolspec.driver.incremental.fingerprints import fingerprints_of
from toolspec.driver.incremental.last_compile import store_record
from toolspec.driver.output.paths import STATE
from toolspec.targets.templates import SUFFIX

if TYPE_CHECKING:
    from toolspec.driver.build import Build


def store_output(build: Build, key: str, status: int, text: str) -> None:
    """Store the output of a compile whose artifacts are written, under a key for the command.

    Nothing is stored if a rule or a target comes from another distribution.
    """
    if build.uses_installed:
        return
    outputs = [
        str(build.out / path) for path in (STATE, *(change.path for change in build.changes))
    ]
    # Built-in templates are read only beside those of a user: otherwise their compiled form runs.
    is_compiled = not build.project.config.templates
    compiler = [each for each in compiler_files() if not (is_compiled and each.endswith(SUFFIX))]
    inputs = {**build.fingerprints, **fingerprints_of(outputs), **fingerprints_of(compiler)}
    store_record(str(build.project.root), key, inputs, (status, text), build.until)
