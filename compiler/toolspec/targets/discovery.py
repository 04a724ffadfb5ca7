"""The targets there are: one package a target or a family of them beside this module, found by name.

Another distribution adds its own through entry points of the group `toolspec.targets`. They are only
asked for a name that is not built in: reading the metadata of an environment costs more than a build.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from toolspec import targets
from toolspec.targets.target import Target

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "toolspec.targets"


def built_in() -> tuple[Target, ...]:
    """Return the targets of this distribution, sorted by name."""
    return tuple(_built_in().values())


def names() -> tuple[str, ...]:
    """Return every name that `find` knows, sorted: built in and installed."""
    return tuple(sorted({*_built_in(), *_installed()}))


def find(name: str) -> Target | None:
    """Return the target of a name; None where there is none.

    Raises TypeError if what a distribution offers under the name is no target of that name: a fault
    of that distribution, as one of ours would be.
    """
    if built := _built_in().get(name):
        return built
    point = _installed().get(name)
    if point is None:
        return None
    loaded = point.load()
    if not isinstance(loaded, Target) or loaded.name != name:
        message = f"the entry point `{name}` of `{ENTRY_POINTS}` is no Target named `{name}`"
        raise TypeError(message)
    return loaded


@cache
def _built_in() -> dict[str, Target]:
    packages = sorted(each.name for each in iter_modules(targets.__path__) if each.ispkg)
    found: dict[str, Target] = {}
    for package in packages:
        for target in _declared(f"{targets.__name__}.{package}"):
            if target.name in found:
                message = f"two targets are named `{target.name}`"
                raise TypeError(message)
            found[target.name] = target
    return dict(sorted(found.items()))


def _declared(module: str) -> tuple[Target, ...]:
    """Return what a package declares as `TARGET` or `TARGETS`; raises TypeError for anything else."""
    declared = vars(import_module(module))
    match declared.get("TARGET"), declared.get("TARGETS"):
        case Target() as target, None:
            return (target,)
        case None, tuple(family) if family and all(isinstance(each, Target) for each in family):
            return family
        case _:
            message = f"{module} must declare `TARGET: Target` or `TARGETS: tuple[Target, ...]`"
            raise TypeError(message)


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {each.name: each for each in entry_points(group=ENTRY_POINTS)}
