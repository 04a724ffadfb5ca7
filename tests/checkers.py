"""Type checkers as users run them: mypy with a cache that tests share, pyright in `make prove` only."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

_CACHE = Path(__file__).parents[1] / ".mypy_cache"


def mypy(*options: str) -> tuple[str, ...]:
    """Return a command for the strictest check; each process of the tests has a cache of its own."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    return (
        "mypy",
        "--strict",
        "--warn-unreachable",
        *options,
        f"--cache-dir={_CACHE / f'tests-{worker}'}",
    )


PYRIGHT = ("pyright", "--pythonpath", sys.executable)
CHECKERS = (
    pytest.param(mypy(), id="mypy"),
    pytest.param(PYRIGHT, id="pyright", marks=pytest.mark.prove),
)
