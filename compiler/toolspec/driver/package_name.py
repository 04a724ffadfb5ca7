"""Derives the import name of generated code from its path."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.driver.config import Config

# Folders that contain packages and are not packages themselves.
_SOURCE_ROOTS = frozenset({"src", "lib", "python"})


def package_of(root: Path, config: Config) -> str:
    """Return the module of the generated code, derived from the output folder's path.

    `src/app/generated` is `app.generated`. If a path as a whole is not a module, its last part is.
    """
    if config.package:
        return config.package
    parts = PurePath(os.path.relpath(root / config.out, root)).parts
    names: list[str] = []
    for part in reversed(parts):
        if not part.isidentifier() or (part in _SOURCE_ROOTS and names):
            break
        names.insert(0, part)
    return ".".join(names) or "generated"
