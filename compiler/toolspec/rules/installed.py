"""Rules of other distributions: each entry point of the group `toolspec.rules` is a family.

Its name is the family's, and it refers to a package like the families next to this module. Entry
points are only read for a family that a project or a reader names: reading the metadata of an
environment takes longer than checking a hundred tools. No rule runs unless configured.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolspec.rules.rule import load, modules
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

    from toolspec.rules.rule import Rule

ENTRY_POINTS = "toolspec.rules"


@dataclass(frozen=True, slots=True)
class Family:
    """The rules of a family by their codes, or the problem that prevents loading it."""

    rules: Mapping[str, Rule] = field(default_factory=dict)
    problem: str = ""


@cache
def family(name: str) -> Family:
    """Return the installed family of a name; an empty one for an unknown name."""
    points = _points().get(name, ())
    if len(points) > 1:
        origins = " and ".join(sorted(f"`{point.value}`" for point in points))
        return Family(problem=f"more than one package is installed under this name: {origins}")
    try:
        return Family({code: rule for point in points for code, rule in _rules(point)})
    except Exception as error:  # noqa: BLE001 - a package of others, which may raise anything
        value = points[0].value
        return Family(problem=f"`{value}` cannot be loaded: {type(error).__name__}: {error}")


def find(code: str) -> Rule:
    """Return the installed rule of a code. Raises KeyError for an unknown one."""
    return family(code.partition("/")[0]).rules[code]


def names() -> tuple[str, ...]:
    """Return the names of all installed families, sorted."""
    return tuple(sorted(_points()))


def _rules(point: EntryPoint) -> list[tuple[str, Rule]]:
    from importlib.resources import files

    package = point.load()
    folders = getattr(package, "__path__", None)
    if folders is None:
        message = "it is no package"
        raise TypeError(message)
    module_names = modules(point.name, package.__name__, folders)
    if not module_names:
        message = "it has no modules"
        raise TypeError(message)
    manuals = files(package.__name__)
    for module in module_names.values():
        manual = f"{module.rpartition('.')[2]}.md"
        if not manuals.joinpath(manual).is_file():
            message = f"{module} has no manual `{manual}` beside it"
            raise TypeError(message)
    origin = f"{point.dist.name} {point.dist.version}" if point.dist else f"`{point.value}`"
    rules = (load(import_module(module_names[code]), code) for code in sorted(module_names))
    return [(rule.code, replace(rule, distribution=origin)) for rule in rules]


@cache
def _points() -> dict[str, tuple[EntryPoint, ...]]:
    from importlib.metadata import entry_points

    entry_points_of: dict[str, tuple[EntryPoint, ...]] = {}
    for entry_point in entry_points(group=ENTRY_POINTS):
        entry_points_of[entry_point.name] = (
            *entry_points_of.get(entry_point.name, ()),
            entry_point,
        )
    return entry_points_of
