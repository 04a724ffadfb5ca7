"""Output folders to test on: what targets emit for made services, and what stands on the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from toolspec.driver import output
from toolspec.driver.build import Request, check
from toolspec.driver.output import File, publish
from toolspec.driver.write_options import OverwritePolicy, WriteOptions
from toolspec.targets.target import Artifact, emit_program

SERVICE = """toolspec: 1
service:
  name: {name}
  description: {text}
tools:
  - name: ping
    description: {text}
    mutation: false
    inputSchema:
      type: object
      properties: {{who: {{type: string, description: {text}}}}}
    outputSchema: {{type: string}}
"""

Files = tuple[File, ...]


class Emission(NamedTuple):
    """Artifacts of one target."""

    target: str
    artifacts: tuple[Artifact, ...]


def files_of(emissions: Iterable[Emission]) -> Files:
    return tuple(file for each in emissions for file in output.files_of(*each))


def emission(target: str = "python", **files: str) -> Emission:
    """Return what a target made: `a__b_py="x"` is the file `a/b.py`."""
    paths = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    return Emission(target, tuple(Artifact(path, text) for path, text in paths.items()))


def compiled(folder: Path, names: tuple[str, ...], text: str) -> Files:
    """Return what the real targets make of some services."""
    specs = folder / "specs"
    shutil.rmtree(specs, ignore_errors=True)
    specs.mkdir(parents=True)
    for name in names:
        (specs / f"{name}.yaml").write_text(SERVICE.format(name=name, text=text))
    checked = check(Request(folder=folder))
    assert checked.ok, checked.diagnostics
    program = checked.value.program
    return files_of(
        Emission(each.name, emit_program(each, program).value) for each in checked.value.targets
    )


@cache
def roomy() -> Path | None:
    """Return a folder in memory where there is one: what a kill leaves behind is the same there."""
    memory = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own in it
    return memory if memory.is_dir() and os.access(memory, os.W_OK) else None


def snapshot(out: Path) -> dict[str, bytes]:
    """Return every file below a folder but the compiler's own state; a link is shown as its text."""
    found: dict[str, bytes] = {}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        if name.split("/")[0] == ".toolspec":
            continue
        if path.is_symlink():
            found[name] = os.fsencode(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def made(
    out: Path,
    *emissions: Emission,
    overwrite_policy: OverwritePolicy = OverwritePolicy.REFUSE,
    narrowed: bool = False,
    configured: tuple[str, ...] | None = None,
    prune: bool = False,
) -> tuple[str, ...]:
    """Publish some emissions; return the codes of what was found."""
    targets = frozenset(each.target for each in emissions) if narrowed else None
    named = None if configured is None else frozenset(configured)
    terms = WriteOptions(overwrite_policy, targets, named, prune, lock_timeout=0.2)
    done = publish(out, files_of(emissions), terms)
    return tuple(each.code for each in done.diagnostics)
