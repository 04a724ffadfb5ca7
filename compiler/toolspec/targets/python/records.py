"""Type declarations: TypedDict classes, their functional form, and aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass, replace
from toolspec.targets.python.constraint_docs import description, open_ended, remark
from toolspec.targets.python.expressions import Name, Quoted, Subscript, Union, names_in
from toolspec.targets.python.identifiers import Identifier, is_name
from toolspec.targets.python.wrapping import attribute, attributes, documentation

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
    declared: Identifier, value: Expression, schemas: Collection[JsonObject]
) -> Alias:
    """Return an alias, with documentation where its schemas say more than its name and type."""
    return Alias(declared, value, documentation(remark(schemas), depth=0))


class FieldTexts:
    """Documentation of fields, wrapped once for each: a type and its form with defaults share them."""

    def __init__(self) -> None:
        # By the identity of a schema, which the program keeps.
        self._texts: dict[tuple[str, int, int], str] = {}

    def of(self, key: str, schemas: Collection[JsonObject], depth: int) -> str:
        """Return the text of a field with some schemas; empty without description and constraints."""
        if len(schemas) != 1:
            return attribute(key, remark(schemas), depth)
        (schema,) = schemas
        mark = key, id(schema), depth
        text = self._texts.get(mark)
        if text is None:
            text = self._texts[mark] = attribute(key, remark(schemas), depth)
        return text


def declare_record(  # noqa: PLR0913 - a class has that many parts
    declared: Identifier,
    fields: Mapping[str, tuple[Collection[JsonObject], Expression]],
    required: AbstractSet[str],
    schemas: Collection[JsonObject],
    doc: str,
    *,
    texts: FieldTexts,
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
    depth = int(plain)
    explained = attributes(
        "Attributes", [texts.of(key, found, depth) for key, (found, _) in fields.items()]
    )
    about = description(schemas) or doc
    text = documentation(about, open_ended(schemas), depth=depth, last=explained)
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
