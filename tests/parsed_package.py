"""The syntax trees of the compiler's modules, for tests of all of them."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "compiler" / "toolspec"


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Return the tree of each module by its path in the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }
