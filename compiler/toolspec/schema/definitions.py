"""Definitions of a schema: their names in references, the targets, and unused ones."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from toolspec.schema.scope import NAMING
from toolspec.shared.keywords import CONTAINERS
from toolspec.shared.reachability import reachable
from toolspec.shared.references import item_index
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from toolspec.schema.walk import Survey
    from toolspec.syntax.nodes import JsonValue
    from toolspec.syntax.pointer import Path

DEFINITION = "#/$defs/"


def definition(root: JsonValue, reference: str) -> JsonValue:
    """Return the target of a reference into the same schema; `true` where it does not resolve."""
    target = root
    for step in parse_fragment(reference.removeprefix("#")):
        if isinstance(target, dict) and step in target:
            target = target[step]
        elif isinstance(target, list) and (index := item_index(step, target)) is not None:
            target = target[index]
        else:
            return True
    return target


def definition_in(reference: str) -> str | None:
    """Return the name of the definition that is or contains the target of a reference, or None.

    The first `$defs` or `definitions` counts: the reference may begin at the root of a document.
    """
    _, _, fragment = reference.partition("#")
    if not fragment.startswith("/"):
        return None
    steps = parse_fragment(fragment)
    return next((name for holder, name in pairwise(steps) if holder in CONTAINERS), None)


def unused_definitions(survey: Survey) -> tuple[Path, ...]:
    """Return the paths of definitions at a schema's root that nothing outside of them uses.

    Definitions used only by unused ones are unused as well. One with an `$id` or an anchor counts
    as used: a reference may name it by that, also from another schema.
    """
    defined = _defined(survey)
    if not defined:
        return ()
    users = _users(survey)
    outside = users.get(None, set()) | _identified(survey)
    used = reachable(outside, lambda name: users.get(name, ()))
    return tuple((keyword, name) for keyword, name in defined if name not in used)


def without(schema: JsonValue, paths: tuple[Path, ...]) -> JsonValue:
    """Return a schema without some of its definitions; all other paths stay valid."""
    assert isinstance(schema, dict), "it has definitions"
    rest = dict(schema)
    gone = set(paths)
    for keyword in {str(keyword) for keyword, _ in paths}:
        definitions = rest[keyword]
        assert isinstance(definitions, dict), "it has definitions of this keyword"
        rest[keyword] = {
            name: definitions[name] for name in definitions if (keyword, name) not in gone
        }
    return rest


def _defined(survey: Survey) -> list[tuple[str, str]]:
    """Return keyword and name of each definition at the root of a schema."""
    root = survey.nodes[0][1] if survey.nodes else None
    if not isinstance(root, dict):
        return []
    definitions = [(keyword, root[keyword]) for keyword in CONTAINERS if keyword in root]
    return [
        (keyword, name)
        for keyword, names in definitions
        if isinstance(names, dict)
        for name in names
    ]


def _identified(survey: Survey) -> set[str]:
    """Return the definitions that have an identifier, or contain a schema that has one."""
    identified: set[str] = set()
    for keyword in NAMING:
        for number in survey.uses.get(keyword, ()):
            path, node = survey.nodes[number]
            if path and path[0] in CONTAINERS and isinstance(node, dict):
                identified |= {str(path[1])} if isinstance(node[keyword], str) else set()
    return identified


def _users(survey: Survey) -> dict[str | None, set[str]]:
    """Return the definitions that each definition references; under None, those used elsewhere."""
    users: dict[str | None, set[str]] = {}
    for number in survey.uses.get("$ref", ()):
        path, node = survey.nodes[number]
        user = str(path[1]) if path and path[0] in CONTAINERS else None
        reference = node.get("$ref") if isinstance(node, dict) else None
        name = definition_in(reference) if isinstance(reference, str) else None
        if name is not None:
            users.setdefault(user, set()).add(name)
    return users
