"""Modules in the folders of a package; `pkgutil` loads `inspect` and `ast` to list them."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SUFFIX = ".py"
_INIT = "__init__.py"


def submodules(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of the modules and packages in some folders, sorted in each."""
    for folder in folders:
        for name in sorted(os.listdir(folder)):  # noqa: PTH208 - texts, as paths of packages are
            if name.endswith(_SUFFIX) and name != _INIT:
                yield name.removesuffix(_SUFFIX)
            elif _is_package(f"{folder}/{name}"):
                yield name


def subpackages(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of the packages in some folders, sorted in each."""
    for folder in folders:
        for name in sorted(os.listdir(folder)):  # noqa: PTH208 - as above
            if _is_package(f"{folder}/{name}"):
                yield name


def _is_package(folder: str) -> bool:
    return os.path.isfile(f"{folder}/{_INIT}")  # noqa: PTH113 - as above
