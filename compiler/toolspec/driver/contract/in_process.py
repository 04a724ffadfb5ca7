"""`toolspec.diff`: the comparison of two versions for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.changes.compare import compare
from toolspec.changes.listed import listed_side
from toolspec.changes.removals import RemovalTerms
from toolspec.changes.schemas import Readers
from toolspec.driver.clock import today
from toolspec.driver.contract.facts import program_side
from toolspec.driver.contract.locations import ProgramLocations
from toolspec.driver.contract.sides import Reading, paired, read_version
from toolspec.ir import Program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from toolspec.changes.change import Changes
    from toolspec.diagnostics import Diagnostic
    from toolspec.shared.json_values import JsonObject

    Version: TypeAlias = str | Path | Program | Sequence[JsonObject]


class VersionError(ValueError):
    """A version that cannot be read, with the reasons as `diagnostics`."""

    def __init__(self, name: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        reasons = "; ".join(each.message for each in diagnostics)
        super().__init__(f"nothing to compare in {name}: {reasons}")
        self.diagnostics = diagnostics


def diff(old: Version, new: Version, *, readers: Readers | str = Readers.TOLERANT) -> Changes:
    """Return the changes from one version to another, as `toolspec diff` finds them.

    The settings of `[contract]`, suppressions and missing bumps of versions are not applied.

    A version is what the command takes (a path, or a git revision), a program that `toolspec.check`
    returned, or the tools of a list as MCP has them. `readers` is `tolerant` or `strict`. Raises
    VersionError for a version that cannot be read, and ValueError for other readers.
    """
    versions = paired(_reading(old, "old"), _reading(new, "new"))
    removals = RemovalTerms(today(), deprecated_on=versions.deprecated_on)
    return compare(versions.old, versions.new, readers=Readers(readers), removals=removals)


def _reading(version: Version, name: str) -> Reading:
    if isinstance(version, Program):
        return Reading(program_side(version, name), ProgramLocations(version), Path())
    if not isinstance(version, (str, Path)):
        return Reading(listed_side(version, name), ProgramLocations(Program(())), Path())
    read = read_version(str(version))
    if read.value is None:
        raise VersionError(str(version), read.diagnostics)
    return read.value
