"""Serialization of a program as plain JSON, without source locations.

Both directions follow the fields of the dataclasses, so that new fields are included.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, get_args, get_origin, get_type_hints

from toolspec import ir
from toolspec.ir.program import Program
from toolspec.shared.records import fields

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def dump(program: Program) -> JsonObject:
    """Return a program as JSON: every field by its name, enums as their text, tuples as lists.

    Embedded schemas and extensions are shared with the program, not copied, and keep the order of
    their keys; `canonical_json` of the result sorts them.
    """
    dumped = _dump(program)
    assert isinstance(dumped, dict)
    return dumped


def load(dumped: JsonObject) -> Program:
    """Return the program of a dump, equal to the original and without locations.

    Raises ValueError, naming the field, for anything that `dump` does not make.
    """
    program = _build(Program, dumped)
    assert isinstance(program, Program)
    return program


@cache
def field_types(of: type) -> dict[str, object]:
    """Return the types of the fields that take part in a dataclass's equality, resolved.

    JSON values are `object`: they are copied unchanged.
    """
    namespace = {
        **vars(ir),
        "JsonValue": object,
        "JsonObject": object,
        "Location": object,
        "Path": object,
    }
    hints = get_type_hints(of, globalns=namespace)
    return {field.name: hints[field.name] for field in fields(of) if field.compare}


def _dump(value: object) -> JsonValue:
    if is_dataclass(value):
        of: type = type(value)
        return {name: _dump(getattr(value, name)) for name in field_types(of)}
    match value:
        case tuple():
            return [_dump(item) for item in value]
        case StrEnum():
            return value.value
        case None | bool() | int() | float() | str() | list() | dict():
            return value
        case _:
            raise TypeError(type(value).__name__)


def _build(of: type, dumped: object) -> object:
    types = field_types(of)
    if not isinstance(dumped, dict) or dumped.keys() != types.keys():
        message = f"{of.__name__} has the fields {', '.join(types)}"
        raise ValueError(message)
    return of(**{name: _load(types[name], dumped[name], f"{of.__name__}.{name}") for name in types})


def _load(of: object, dumped: object, field: str) -> object:
    """Return a field's value from its dump, by the type of the field."""
    if of is object:
        return dumped
    if isinstance(of, UnionType):
        (of,) = (get_arg for get_arg in get_args(of) if get_arg is not NoneType)
        return None if dumped is None else _load(of, dumped, field)
    if get_origin(of) is tuple and isinstance(dumped, list):
        item, *rest = get_args(of)
        items = [item] * len(dumped) if rest == [...] else [item, *rest]
        pairs = zip(items, dumped, strict=True)
        return tuple(_load(item, value, field) for item, value in pairs)
    if isinstance(of, type) and is_dataclass(of):
        return _build(of, dumped)
    if isinstance(of, type) and issubclass(of, StrEnum) and isinstance(dumped, str):
        return of(dumped)
    if isinstance(of, type) and type(dumped) is of:
        return dumped
    message = f"{field} can't be {dumped!r}"
    raise ValueError(message)
