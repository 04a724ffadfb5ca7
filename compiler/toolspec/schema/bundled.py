"""The project's own JSON Schemas, shipped with the package."""

from __future__ import annotations

from pathlib import Path


def read_schema(name: str) -> str:
    """Return the text of a file of `schemas/`: inside the package as installed, else of the checkout."""
    package = Path(__file__).parents[1]
    installed = package / "schemas"
    folder = installed if installed.is_dir() else package.parents[1] / "schemas"
    return (folder / name).read_text(encoding="utf-8")
