"""The real formatter and checkers, as a user's project runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent


def ruff_format(source: str, *command: str) -> str:
    """Return a source as ruff rewrites it: formatted, or by another command."""
    done = subprocess.run(
        [BIN / "ruff", *(command or ("format",)), "--isolated", "--no-cache", "-"],
        input=source,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(folder: Path, *command: str) -> str:
    """Return what a command of the environment prints in a folder; empty if it is content."""
    tool, *arguments = command
    done = subprocess.run(
        [BIN / tool, *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr
