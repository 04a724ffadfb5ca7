"""Pairs of schemas about which a proof can take very long."""

from __future__ import annotations

import json
from typing import Any


def _tagged(number: int) -> dict[str, Any]:
    members = {f"p{index}": {"type": "string", "maxLength": index + number} for index in range(5)}
    tag = {"kind": {"const": f"k{number}"}}
    return {"type": "object", "properties": {**tag, **members}, "required": ["kind"]}


_TAG = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}
_UNION = [_tagged(number) for number in range(120)]


def pairs_of_branches(count: int) -> list[Any]:
    """Return schemas of which each asks for one of two members, for an `allOf`."""
    names = [(f"a{index}", f"b{index}") for index in range(count)]
    return [{"anyOf": [{"required": [one]}, {"required": [other]}]} for one, other in names]


_PAIRS = pairs_of_branches(16)
_BRANCHES = [
    {"type": "object", "properties": {f"p{index}": {"type": "string", "maxLength": index}}}
    for index in range(20)
]
_MANY = {f"p{index}": {"type": "integer"} for index in range(400)}
_NARROW = {name: {"type": "integer", "minimum": 1} for name in _MANY}
_NAMES = [f"value {index}" for index in range(5_000)]


def _argument(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "additionalProperties": False}


def _closed(members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members, "additionalProperties": False}


def _mixed(schema: Any) -> Any:
    """Return a copy in which `size` is an integer below 9 where it was any."""
    return json.loads(json.dumps(schema).replace('"maxLength": 7', '"maxLength": 6'))


HOSTILE: dict[str, tuple[Any, Any]] = {
    "a union and one more branch": (
        _argument({"oneOf": _UNION}),
        _argument({"oneOf": [*_UNION, _TAG]}),
    ),
    "a union with a changed branch": (
        _argument({"oneOf": [*_UNION, _TAG]}),
        _argument({"oneOf": [*_mixed(_UNION), _TAG]}),
    ),
    "pairs of branches": (
        _argument({"allOf": _PAIRS}),
        _argument({"allOf": [*_PAIRS[1:], {"anyOf": [{"required": ["a0"]}, {"required": ["c"]}]}]}),
    ),
    "open branches": (
        _argument({"anyOf": _BRANCHES}),
        _argument({"anyOf": [*_mixed(_BRANCHES), {"type": "object", "minProperties": 30}]}),
    ),
    "many properties": (_argument(_closed(_MANY)), _argument(_closed(_NARROW))),
    "many properties below `not`": (
        _argument({"not": _closed(_MANY)}),
        _argument({"not": _closed(_NARROW)}),
    ),
    "many values": (_argument({"enum": _NAMES}), _argument({"enum": _NAMES[:-1]})),
    "many values below `not`": (
        _argument({"not": {"enum": _NAMES}}),
        _argument({"not": {"enum": _NAMES[1:]}}),
    ),
}
