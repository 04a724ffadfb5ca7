"""Mappings of settings and credentials that hide their secrets when printed."""

from __future__ import annotations

from collections.abc import ItemsView, ValuesView

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Self

    from toolspec.shared.json_values import JsonObject, JsonValue

    _Base = dict[str, JsonValue]
else:
    _Base = dict

_SHOWN_AS = "********"


class Confidential(_Base):
    """A dict whose repr hides secret members, so that logs and errors do not show them.

    Equal to the plain dict with the same members. Copies and `|` hide the same members; a plain
    dict built from it (`dict(…)`, `{**…}`) hides nothing.
    """

    __slots__ = ("_secret",)

    def __init__(self, members: JsonObject, secret: frozenset[str]) -> None:
        super().__init__(members)
        self._secret = secret

    def __repr__(self) -> str:
        shown = (
            f"{name!r}: {_SHOWN_AS if name in self._secret else repr(value)}"
            for name, value in self.items()
        )
        return f"{{{', '.join(shown)}}}"

    __str__ = __repr__

    def copy(self) -> Confidential:
        """Return a copy that hides the same members."""
        return Confidential(dict(self), self._secret)

    def items(self) -> ItemsView[str, JsonValue]:  # type: ignore[override]  # that of dict shows all
        """Return a view whose text hides the same members."""
        return ItemsView(self)

    def values(self) -> ValuesView[JsonValue]:  # type: ignore[override]  # the same
        """Return a view whose text hides the same members."""
        return ValuesView(self)

    def __or__(self, other: JsonObject) -> Confidential:  # type: ignore[override]  # as secret
        if not isinstance(other, dict):
            return NotImplemented
        return Confidential({**self, **other}, self._secret | _secret_of(other))

    def __ror__(self, other: JsonObject) -> Confidential:  # type: ignore[override]  # the same
        if not isinstance(other, dict):
            return NotImplemented
        return Confidential({**other, **self}, self._secret | _secret_of(other))

    def update(self, *others: JsonObject, **members: JsonValue) -> None:  # type: ignore[override]  # the same
        """Add members; those that are secret in the other mapping stay secret."""
        super().update(*others, **members)
        self._secret = self._secret.union(*map(_secret_of, others))

    def __ior__(self, other: JsonObject) -> Self:  # type: ignore[override]  # the same
        self.update(other)
        return self


def _secret_of(members: object) -> frozenset[str]:
    return members._secret if isinstance(members, Confidential) else frozenset()  # noqa: SLF001 - same class


def credentials_of(members: JsonObject) -> Confidential:
    """Return credentials with every member hidden."""
    return Confidential(members, frozenset(members))


def settings_of(members: JsonObject, schema: JsonObject) -> Confidential:
    """Return settings that hide members marked `writeOnly` or `format: password` in the schema.

    A member is hidden completely if the mark occurs anywhere inside its schema.
    """
    properties = schema.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    secret = {name for name, member in declared.items() if _contains_secret(member, schema, set())}
    return Confidential(members, frozenset(secret))


def _contains_secret(value: JsonValue, schema: JsonObject, visited: set[str]) -> bool:
    if isinstance(value, list):
        return any(_contains_secret(member, schema, visited) for member in value)
    if not isinstance(value, dict):
        return False
    if value.get("writeOnly") is True or value.get("format") == "password":
        return True
    reference = value.get("$ref")
    if isinstance(reference, str) and reference not in visited:
        visited.add(reference)
        if _contains_secret(_referenced(reference, schema), schema, visited):
            return True
    return any(_contains_secret(member, schema, visited) for member in value.values())


def _referenced(reference: str, schema: JsonObject) -> JsonValue:
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return None
    return definitions.get(reference.removeprefix("#/$defs/"))
