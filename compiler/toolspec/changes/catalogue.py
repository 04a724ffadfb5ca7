"""Catalogue of the kinds of changes: all modules of `kinds/`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolspec.changes import kinds
from toolspec.shared.packages import submodules, subpackages
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolspec.changes.change import Change
    from toolspec.changes.kind import ChangeKind
    from toolspec.shared.json_values import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Entry:
    """A loaded module of a kind; `summary` is its docstring. `api.py` explains the fields."""

    kind: ChangeKind
    summary: str
    fact: str = ""
    is_of_service: bool = False
    found: Callable[[JsonValue, JsonValue], Iterator[JsonObject]] | None = None
    derived_from: tuple[str, ...] = ()
    refines: tuple[str, ...] = ()
    refined: Callable[[Change, JsonObject, JsonObject], JsonObject | None] | None = None
    needs: frozenset[str] = frozenset()
    keeps_levels: bool = False


@cache
def modules() -> Mapping[str, str]:
    """Return the names of the kinds' modules by code, in the order of families and slugs."""
    return {
        f"{family}/{slug.replace('_', '-')}": f"{kinds.__name__}.{family}.{slug}"
        for family in subpackages(kinds.__path__)
        for slug in submodules([f"{folder}/{family}" for folder in kinds.__path__])
    }


@cache
def families() -> tuple[str, ...]:
    """Return the families of the kinds."""
    return tuple(dict.fromkeys(code.partition("/")[0] for code in modules()))


def matching(word: str) -> tuple[str, ...]:
    """Return the codes that a word selects: a code, a family, or a pattern such as `*/value-*`."""
    named = word.removesuffix("/*")
    return tuple(
        code
        for code in modules()
        if named in (code, code.partition("/")[0]) or fnmatchcase(code, word)
    )


@cache
def entry(code: str) -> Entry:
    """Return the entry of a code. Raises KeyError for an unknown one."""
    module = import_module(modules()[code])
    kind: ChangeKind = module.KIND
    assert kind.code == code, module.__name__
    return Entry(
        kind,
        (module.__doc__ or "").strip(),
        getattr(module, "FACT", ""),
        getattr(module, "SERVICE", False),
        getattr(module, "found", None),
        tuple(getattr(module, "DERIVED_FROM", ())),
        tuple(getattr(module, "REFINES", ())),
        getattr(module, "refined", None),
        frozenset(getattr(module, "NEEDS", ())),
        getattr(module, "KEEPS_LEVELS", False),
    )


@cache
def entries() -> tuple[Entry, ...]:
    """Return all entries."""
    return tuple(map(entry, modules()))


@cache
def entries_of_facts(*, is_of_service: bool) -> tuple[Entry, ...]:
    """Return the entries that compare facts, of services or of tools."""
    return tuple(each for each in entries() if each.found and each.is_of_service == is_of_service)


@cache
def refinements(code: str) -> tuple[Entry, ...]:
    """Return the entries that refine the changes of a code."""
    return tuple(each for each in entries() if code in each.refines)
