"""Sides on which a kind of change can be seen, from the facts that it compares."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from toolspec.changes.catalogue import Entry, entry
from toolspec.changes.listed import SHOWN, SHOWN_BY_OWN, SHOWN_OF_SERVICE
from toolspec.changes.schemas import Flow
from toolspec.changes.side import OF_SETS, SERVICE_FACTS, TOOL_FACTS


class View(StrEnum):
    """What is compared with an older version of the same."""

    SPEC = "spec"
    CONTRACT = "contract"
    DUMP = "dump"
    SERVER = "guard in the server"
    CLIENT = "guard in the client"


LISTS = frozenset({View.DUMP, View.SERVER, View.CLIENT})
"""The views of a list of tools."""

_CONTRACTS = OF_SETS.union(TOOL_FACTS)
_SPECS = _CONTRACTS - {"removed", "wire"}
"""One compiler writes the same definition of the same facts, and no spec tells what was removed."""

_LISTED = SHOWN_BY_OWN - {"service"}
"""The facts of lists; their services are nameless."""


@cache
def views(code: str) -> frozenset[View]:
    """Return the views in which a change of this kind can be seen."""
    return frozenset(view for view in View if _is_seen(entry(code), *_facts(view)))


@cache
def needs_own_server(code: str) -> bool:
    """Return whether a list shows it only if the server has tools of this compiler."""
    shown = _is_seen(entry(code), SHOWN & _LISTED, SHOWN_OF_SERVICE)
    return View.DUMP in views(code) and not shown


def _facts(view: View) -> tuple[frozenset[str], frozenset[str]]:
    """Return the facts of tools and of services that a view shows."""
    if view in LISTS:
        return _LISTED, SHOWN_OF_SERVICE
    return _SPECS if view is View.SPEC else _CONTRACTS, frozenset(SERVICE_FACTS)


def _is_seen(each: Entry, tools: frozenset[str], services: frozenset[str]) -> bool:
    facts = services if each.is_of_service else tools
    if not each.needs <= facts:
        return False
    if each.refines:
        return any(_is_seen(entry(code), tools, services) for code in each.refines)
    if each.kind.family in tuple(Flow):
        return not {"input", "output"}.isdisjoint(facts)
    return not each.fact or each.fact.partition(".")[0] in facts
