"""Resolution of references inside one schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

DEFINITION = "#/$defs/"


def definition(root: JsonValue, reference: str) -> JsonValue:
    """Return the target of a reference into the same schema; `true` where it does not resolve."""
    target = root
    for step in parse_fragment(reference.removeprefix("#")):
        if isinstance(target, dict) and step in target:
            target = target[step]
        elif isinstance(target, list) and step.isdecimal() and int(step) < len(target):
            target = target[int(step)]
        else:
            return True
    return target
