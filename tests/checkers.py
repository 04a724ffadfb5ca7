"""Type checkers as users run them: mypy with a cache that tests share, pyright in `make prove` only."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_CACHE = _HERE.parent / ".mypy_cache" / "tests"


def mypy(*options: str) -> tuple[str, ...]:
    """Return a command for the strictest check."""
    command = (sys.executable, str(_HERE / "one_mypy.py"), str(_CACHE))
    return (*command, "--strict", "--warn-unreachable", *options)


PYRIGHT = (sys.executable, "-m", "pyright", "--pythonpath", sys.executable)
CHECKERS = (
    pytest.param(mypy(), id="mypy"),
    pytest.param(PYRIGHT, id="pyright", marks=pytest.mark.prove),
)
