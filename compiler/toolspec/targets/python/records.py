"""Type declarations: TypedDict classes, their functional form, and aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import is_name
from toolspec.targets.python.constraint_docs import description, open_ended, remark
from toolspec.targets.python.expressions import name, names_in
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.model import (
    Assign,
    Call,
    Class,
    Const,
    Dict,
    Name,
    Quoted,
    Subscript,
    Union,
)
from toolspec.targets.python.wrapping import attributes, documentation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, KeysView, Mapping
    from collections.abc import Set as AbstractSet

    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.python.model import Expression, Statement

TYPED_DICT = Identifier("TypedDict")
NOT_REQUIRED = Identifier("NotRequired")
ALIAS = name("TypeAlias")


def declare_alias(
    declared: Identifier, value: Expression, schemas: Collection[JsonObject], doc: str
) -> Assign:
    """Return `declared: TypeAlias = value`, documented from its schemas."""
    text = documentation(remark(schemas) or doc, depth=0)
    return Assign(Name(declared), value, ALIAS, text)


def declare_record(
    declared: Identifier,
    fields: Mapping[str, tuple[Collection[JsonObject], Expression]],
    required: AbstractSet[str],
    schemas: Collection[JsonObject],
    doc: str,
) -> Assign | Class:
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
    if not plain:
        entries = tuple((Const(key), found) for key, found in types.items())
        call = Call(Name(TYPED_DICT), (Const(declared), Dict(entries)))
        return Assign(Name(declared), call, None, text)
    body = tuple(Assign(Name(Identifier(key)), None, found) for key, found in types.items())
    return Class(declared, (TYPED_DICT,), text, body)


def names_used(declarations: Iterable[Statement]) -> KeysView[str]:
    """Return the names used by declarations, local types and those of `typing`."""
    parts: list[Expression | None] = []
    for each in declarations:
        if isinstance(each, Class):
            parts += map(Name, each.bases)
            parts += [field.annotation for field in each.body if isinstance(field, Assign)]
        elif isinstance(each, Assign):
            parts += (each.annotation, each.value)
    return names_in(part for part in parts if part is not None)


def settled(declarations: Iterable[Assign | Class], local: frozenset[str]) -> Iterator[Statement]:
    """Yield the declarations, with names quoted where they are used before they are declared.

    Only types that Python evaluates at once need quotes: aliases and the functional form.
    """
    later = set(local)
    for declaration in declarations:
        if isinstance(declaration, Class):
            later.discard(declaration.name)
            yield declaration
        else:
            yield _quoted_assignment(declaration, later)
            if isinstance(declaration.target, Name):
                later.discard(declaration.target.id)


def _quoted_assignment(declaration: Assign, later: set[str]) -> Assign:
    value = declaration.value
    if isinstance(value, Call):
        first, second = value.positional
        entries = second.entries if isinstance(second, Dict) else ()
        quoted = tuple((key, _quoted(found, later)) for key, found in entries)
        value = Call(value.function, (first, Dict(quoted)))
    elif value is not None:
        value = _quoted(value, later)
    return Assign(declaration.target, value, declaration.annotation, declaration.doc)


def _quoted(expression: Expression, later: set[str]) -> Expression:
    match expression:
        case Name(id=found) if found in later:
            return Quoted(expression)
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
