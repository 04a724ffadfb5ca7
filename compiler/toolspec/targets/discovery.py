"""Discovery of targets by name: packages next to this module, and entry points.

A package declares the target of its name, or several whose names begin with it and a hyphen.
Another distribution adds targets through entry points of the group `toolspec.targets`. They are
only read for a name that is not built in: reading the metadata of an environment costs more than a
build.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING

from toolspec import targets
from toolspec.shared.packages import subpackages
from toolspec.targets.installed import load
from toolspec.targets.target import Target

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "toolspec.targets"


def built_in() -> tuple[Target, ...]:
    """Return the targets of this distribution, sorted by name."""
    families = map(_family, _packages())
    return tuple(sorted(chain.from_iterable(families), key=lambda target: target.name))


def is_built_in(target: Target) -> bool:
    """Return whether a target belongs to this distribution."""
    return _find_built_in(target.name) is target


def names() -> tuple[str, ...]:
    """Return every name that `find` knows, sorted: built in and installed."""
    return tuple(sorted({*(target.name for target in built_in()), *_installed()}))


def exists(name: str) -> bool:
    """Return whether `find` knows a name; an installed target is not imported."""
    return _find_built_in(name) is not None or name in _installed()


def find(name: str) -> Target | None:
    """Return the target of a name; None for an unknown name."""
    if built := _find_built_in(name):
        return built
    point = _installed().get(name)
    return load(point) if point else None


def _find_built_in(name: str) -> Target | None:
    """Return the built-in target of a name; only the package that can declare it is imported."""
    for package in _packages():
        if _is_of(name, package):
            return next((target for target in _family(package) if target.name == name), None)
    return None


@cache
def _packages() -> tuple[str, ...]:
    return tuple(subpackages(targets.__path__))


@cache
def _family(package: str) -> tuple[Target, ...]:
    """Return the targets of a package; raises TypeError for a name that cannot be found."""
    family = _declared(f"{targets.__name__}.{package}")
    for target in family:
        if not _is_of(target.name, package):
            message = f"the package `{package}` cannot declare a target named `{target.name}`"
            raise TypeError(message)
    return family


def _is_of(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}-")


def _declared(module: str) -> tuple[Target, ...]:
    """Return the `TARGET` or `TARGETS` of a package; raises TypeError for anything else."""
    declared = vars(import_module(module))
    match declared.get("TARGET"), declared.get("TARGETS"):
        case Target() as target, None:
            return (target,)
        case None, tuple(family) if family and all(isinstance(member, Target) for member in family):
            return family
        case _:
            message = f"{module} must declare `TARGET: Target` or `TARGETS: tuple[Target, ...]`"
            raise TypeError(message)


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry_point.name: entry_point for entry_point in entry_points(group=ENTRY_POINTS)}
