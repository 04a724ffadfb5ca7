"""The project's own JSON Schemas, shipped with the package."""

from __future__ import annotations

from pathlib import Path


def read_schema(name: str) -> str:
    """Return the text of a file of `schemas/`."""
    return (schema_folder() / name).read_text(encoding="utf-8")


def schema_folder() -> Path:
    """Return the folder `schemas/` of the installed package, or else of the checkout."""
    package = Path(__file__).parents[1]
    installed = package / "schemas"
    return installed if installed.is_dir() else package.parents[1] / "schemas"
