"""Locates the generated package of the current project, for the commands that import it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolspec.cli.exit_codes import Exit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def generated_package() -> tuple[Path, str]:
    """Return the output folder of this project, and the import name of its package."""
    from toolspec.driver.config import find_project, package_of

    project = find_project(Path.cwd())
    if not project.ok:
        from toolspec.cli import console

        console.report(project.diagnostics, project.value.root)
        raise typer.Exit(Exit.USAGE)
    located = project.value
    return located.root / located.config.out, package_of(located.root, located.config)


def project_store() -> str:
    """Return the store in the configuration of this project; the path of a file is absolute."""
    from toolspec.driver.config import find_project

    project = find_project(Path.cwd()).value
    scheme, _, path = project.config.store.partition(":///")
    if scheme == "sqlite" and path:
        return f"sqlite:///{project.root / path}"
    return project.config.store


def project_approval() -> tuple[str, str]:
    """Return who asks for calls of the risk tiers 2 and 3, by the configuration of this project."""
    from toolspec.driver.config import find_project

    return find_project(Path.cwd()).value.config.approve


def refuse(lines: Sequence[str]) -> NoReturn:
    """Print the reason lines and exit with a usage error."""
    from toolspec.sinks.terminal import printable

    for line in lines:
        text = printable(line)
        print(f"toolspec: {text}" if line is lines[0] else text, file=sys.stderr)
    raise typer.Exit(Exit.USAGE)
