"""Modules and data files of packages; `pkgutil` loads `inspect` and `ast` to list modules."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SUFFIX = ".py"
_INIT = "__init__.py"


def submodules(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of the modules and packages in some folders, sorted in each."""
    return (name for folder in folders for name, _ in _listed(folder))


def subpackages(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of the packages in some folders, sorted in each."""
    return (name for folder in folders for name, is_package in _listed(folder) if is_package)


def read_data(package: str, name: str) -> bytes:
    """Return the bytes of a file of a package that is imported. Raises OSError."""
    module = sys.modules[package]
    path = os.path.join(os.path.dirname(module.__file__ or ""), name)  # noqa: PTH118, PTH120 - a text, as loaders expect
    data: bytes = module.__loader__.get_data(path)  # type: ignore[union-attr]  # also that of an archive
    return data


def _listed(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the modules in a folder, and whether each is a package."""
    if not os.path.isdir(folder):  # noqa: PTH112 - a text, as paths of packages are
        from pkgutil import iter_modules

        yield from ((module.name, module.ispkg) for module in iter_modules([folder]))
        return
    for name in sorted(os.listdir(folder)):  # noqa: PTH208 - as above
        if name.endswith(_SUFFIX) and name != _INIT:
            yield name.removesuffix(_SUFFIX), False
        elif os.path.isfile(f"{folder}/{name}/{_INIT}"):  # noqa: PTH113 - as above
            yield name, True
