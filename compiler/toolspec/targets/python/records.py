"""Type declarations: TypedDict classes, their functional form, and aliases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from toolspec.frontend.naming.identifiers import is_name
from toolspec.shared.records import dataclass
from toolspec.targets.python.constraint_docs import description, open_ended, remark
from toolspec.targets.python.expressions import Name, Quoted, Subscript, Union, names_in
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.wrapping import attributes, documentation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, KeysView, Mapping
    from collections.abc import Set as AbstractSet

    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.python.expressions import Expression

NOT_REQUIRED = Identifier("NotRequired")


@dataclass(frozen=True, slots=True)
class Alias:
    """`name: TypeAlias = type`."""

    name: Identifier
    type: Expression
    doc: str


@dataclass(frozen=True, slots=True)
class Record:
    """A TypedDict: a class, or the functional form, whose keys may be any text."""

    name: Identifier
    fields: tuple[tuple[str, Expression], ...]
    doc: str
    is_class: bool


Declaration: TypeAlias = "Alias | Record"


def declare_alias(
    declared: Identifier, value: Expression, schemas: Collection[JsonObject], doc: str
) -> Alias:
    """Return an alias that is documented from its schemas."""
    return Alias(declared, value, documentation(remark(schemas) or doc, depth=0))


def declare_record(
    declared: Identifier,
    fields: Mapping[str, tuple[Collection[JsonObject], Expression]],
    required: AbstractSet[str],
    schemas: Collection[JsonObject],
    doc: str,
) -> Record:
    """Return a TypedDict: a class, or the functional form if a key cannot be a class member.

    That is a keyword, no identifier, a name that Python would mangle, or a name that one of the
    class's field types uses.
    """
    types = {
        key: found if key in required else Subscript(NOT_REQUIRED, (found,))
        for key, (_, found) in fields.items()
    }
    used = names_in(types.values())
    plain = all(is_name(key) and key[:2] != "__" and key not in used for key in types)
    explained = attributes(
        "Attributes", ((key, remark(found)) for key, (found, _) in fields.items()), int(plain)
    )
    about = description(schemas) or doc
    text = documentation(about, open_ended(schemas), depth=int(plain), last=explained)
    return Record(declared, tuple(types.items()), text, plain)


def names_used(declarations: Iterable[Declaration]) -> KeysView[str]:
    """Return the names used by declarations, local types and those of `typing`."""
    parts: list[Expression] = []
    forms: dict[str, None] = {}
    for declaration in declarations:
        if isinstance(declaration, Record):
            forms["TypedDict"] = None
            parts += [kind for _, kind in declaration.fields]
        else:
            forms["TypeAlias"] = None
            parts.append(declaration.type)
    return {**forms, **dict.fromkeys(names_in(parts))}.keys()


def settled(declarations: Iterable[Declaration], local: frozenset[str]) -> Iterator[Declaration]:
    """Yield the declarations, with names quoted where they are used before they are declared.

    Only types that Python evaluates at once need quotes: aliases and the functional form.
    """
    later = set(local)
    for declaration in declarations:
        if isinstance(declaration, Alias):
            yield replace(declaration, type=_quoted(declaration.type, later))
        elif declaration.is_class:
            yield declaration
        else:
            fields = tuple((key, _quoted(kind, later)) for key, kind in declaration.fields)
            yield replace(declaration, fields=fields)
        later.discard(declaration.name)


def _quoted(expression: Expression, later: set[str]) -> Expression:
    match expression:
        case Name(id=found) if found in later:
            return Quoted(found)
        case Subscript(base=base, items=items):
            return Subscript(base, tuple(_quoted(item, later) for item in items))
        case Union(options=options):
            quoted = tuple(_quoted(option, later) for option in options)
            # A string has no `|`: it would fail when the module is loaded.
            if any(isinstance(option, Quoted) for option in quoted):
                return Subscript(Identifier("Union"), quoted)
            return Union(quoted)
        case _:
            return expression
