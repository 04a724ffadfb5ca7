"""Converter from JSON Schema to Python types: expressions, and the declarations they need.

Constraints that a type cannot express (bounds, patterns, further keys) go into documentation. A
type never forbids what the schema allows (decision 0035): an array is a list, also with
`prefixItems`, and a schema without `type` is `object`, whatever keywords it has. `object` is used
where the schema allows any value; where it replaces a narrower type, a fallback is recorded.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass, field
from toolspec.targets.python.defaults import defaulted, fillers
from toolspec.targets.python.expressions import (
    ATOMS,
    BYTES,
    NEVER,
    OBJECT,
    STRING,
    Name,
    subscript,
    union,
)
from toolspec.targets.python.identifiers import Identifier, Names, pascal
from toolspec.targets.python.merged_schema import (
    adds_shape,
    allowed,
    first_choice,
    is_base64,
    is_closed,
    keys,
    listed_type,
    plain_type,
    says_encoding,
    stated_values,
    suffixes,
)
from toolspec.targets.python.records import FieldTexts, declare_alias, declare_record
from toolspec.targets.python.schema_location import Locations, Root, SchemaLocation, is_reference

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.python.defaults import RootNames
    from toolspec.targets.python.expressions import Expression
    from toolspec.targets.python.records import Declaration
    from toolspec.targets.python.schema_location import Key


View: TypeAlias = "tuple[tuple[Key, frozenset[str]], ...]"


@dataclass(frozen=True, slots=True)
class Fallback:
    """A location typed as `object` although its schema is narrower."""

    root: str
    path: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Scope:
    """State of a conversion: the hint for class names, and the views that lead here unguarded."""

    hint: str
    view: View | None
    pending: frozenset[View]
    doc: str = ""

    def inside(self, suffix: str) -> Scope:
        """Return the scope for the content of a container, which guards recursion."""
        return Scope(f"{self.hint}{suffix}", None, frozenset())


# A type that is declared later: its sites, their scope, and its name.
_Deferred: TypeAlias = "tuple[tuple[SchemaLocation, ...], Scope, Identifier]"
# Deepest nesting of types; deeper ones are declared separately, which bounds the stack however long
# a chain of definitions is.
_DEEPEST = 40
# Deepest nesting of choices for one value: each contains the members of all around it.
_DEEPEST_CHOICE = 32


@dataclass(slots=True)
class Typer:
    """Converts the schemas of one module to types; `declarations` are in the order of need."""

    names: Names
    locations: Locations
    roots: RootNames
    is_binary: bool = False
    """Whether base64 is `bytes`, as `runtime/bytes_codec.py` decodes it."""
    declarations: list[Declaration] = field(default_factory=list)
    fallbacks: list[Fallback] = field(default_factory=list)
    _open: dict[View, Identifier | None] = field(default_factory=dict)
    _done: dict[View, Expression] = field(default_factory=dict)
    _deferred: deque[_Deferred] = field(default_factory=deque)
    _texts: FieldTexts = field(default_factory=FieldTexts)

    def declare(self, root: Root, doc: str = "", *, filled: bool = False) -> Name:
        """Return the type of a whole schema, declared under the name reserved for its root.

        With `filled`, return the type of its values after defaults have been filled in.
        """
        whole = SchemaLocation(root, (), root.value, filled=filled)
        declared = self.roots.of(whole)
        self._convert((whole,), Scope(declared, None, frozenset(), doc), declared)
        while self._deferred:
            sites, scope, named = self._deferred.popleft()
            del self._done[_view(sites)]
            self._convert(sites, scope, named)
        return Name(declared)

    def _convert(
        self, sites: tuple[SchemaLocation, ...], scope: Scope, named: Identifier | None = None
    ) -> Expression:
        """Return the type of the sites' conjunction, converted once for each such view."""
        if any(site.filled for site in sites):
            sites = tuple(map(self.roots.filling.settled, sites))
        view = _view(sites)
        if view in self._open:
            if view in scope.pending:
                return self._give_up(sites[0], "the reference leads back to itself")
            reserved = self._open[view] or self.names.give(scope.hint)
            self._open[view] = reserved
            return Name(reserved)
        found = self._done.get(view)
        if found is None and len(self._open) >= _DEEPEST:
            return self._defer(sites, scope, named)
        if found is None:
            self._open[view] = named
            inside = Scope(scope.hint, view, scope.pending | {view}, scope.doc)
            found = self._type(sites, inside)
            named = self._open.pop(view)
        if named is not None and found != Name(named):
            if isinstance(found, Name) and found.id in self._open.values():
                return found  # alias of the type being declared: its name suffices
            said = [site.members for site in sites]
            self.declarations.append(declare_alias(named, found, said))
            found = Name(named)
        self._done[view] = found
        return found

    def _defer(
        self, sites: tuple[SchemaLocation, ...], scope: Scope, named: Identifier | None
    ) -> Expression:
        """Return the name of a type that is declared after those around it."""
        reserved = named or self.names.give(scope.hint)
        scope = Scope(scope.hint, None, frozenset(), scope.doc)
        self._deferred.append((sites, scope, reserved))
        self._done[_view(sites)] = Name(reserved)
        return Name(reserved)

    def _type(self, sites: tuple[SchemaLocation, ...], scope: Scope) -> Expression:
        parts = tuple(part for site in sites for part in self.locations.parts(site))
        if len(parts) == 1 and is_reference(parts[0]):
            return self._refer(parts[0], scope)
        layers = self.locations.layers(parts)
        for layer in layers:
            if "$ref" in layer.members:
                return self._give_up(layer, "the reference leads nowhere")
        return self._layered(layers, sites, scope)

    def _refer(self, part: SchemaLocation, scope: Scope) -> Expression:
        """Return the named type of a `$ref`'s target."""
        target = self.locations.target(part)
        if target is None:
            return self._give_up(part, "the reference leads nowhere")
        target = self.roots.filling.settled(target)
        view = ((target.key, target.without),)
        known = self._done.get(view)
        if isinstance(known, Name):
            return known
        named = self.roots.of(target)
        hint = named + (pascal(target.path[-1]) if target.path else "")
        if target.path and view not in self._open:
            named = self.names.give(hint)
        return self._convert((target,), Scope(hint, None, scope.pending), named)

    def _layered(
        self, layers: tuple[SchemaLocation, ...], sites: tuple[SchemaLocation, ...], scope: Scope
    ) -> Expression:
        if any(layer.node is False for layer in layers):
            return NEVER
        kinds = allowed(layers)
        if (stated := stated_values(layers)) is not None:
            return self._values(*stated, kinds)
        if (choice := first_choice(layers)) is not None:
            return self._choice(*choice, sites, scope)
        if kinds is None:
            return self._unknown(sites)
        if len(kinds) == 1:
            return self._of_kind(kinds[0], layers, sites, scope)
        inner = self._option(scope, "")
        return union(self._of_kind(kind, layers, sites, inner) for kind in kinds)

    def _choice(
        self,
        base: tuple[SchemaLocation, ...],
        options: tuple[SchemaLocation, ...],
        sites: tuple[SchemaLocation, ...],
        scope: Scope,
    ) -> Expression:
        """Return the union of the options, each combined with the base."""
        if base and len(sites) > _DEEPEST_CHOICE:
            self._give_up(sites[-1], "choices nested too deeply")
            return self._layered(base, sites, scope)
        expanded = [self.locations.layers(self.locations.parts(option)) for option in options]
        if base and not adds_shape(base, expanded):
            return self._layered(base, sites, scope)
        types: list[Expression] = []
        for option, layers, suffix in zip(options, expanded, suffixes(expanded), strict=True):
            inner = self._option(scope, suffix)
            if base:
                merged = dict.fromkeys((*base, *layers))
                types.append(self._layered(tuple(merged), (*sites, option), inner))
            else:
                types.append(self._convert((option,), inner))
        return union(types)

    def _of_kind(
        self,
        kind: str,
        layers: tuple[SchemaLocation, ...],
        sites: tuple[SchemaLocation, ...],
        scope: Scope,
    ) -> Expression:
        if kind == "object":
            return self._object(layers, sites, scope)
        if kind == "array":
            return self._array(layers, scope)
        if kind == "string" and self.is_binary and any(is_base64(layer.node) for layer in layers):
            return BYTES
        return ATOMS.get(kind, OBJECT)

    def _plain(self, schema: JsonValue) -> Expression | None:
        """Return the type of a schema without nested types or references; else None."""
        if self.is_binary and says_encoding(schema):
            return None
        return plain_type(schema)

    def _held(self, sites: tuple[SchemaLocation, ...], scope: Scope, word: str) -> Expression:
        """Return the type of a container's content; `word` is the suffix of its class name."""
        plain = self._plain(sites[0].node) if len(sites) == 1 else None
        return plain or self._convert(sites, scope.inside(pascal(word) or "Field"))

    def _field(
        self, holders: list[SchemaLocation], scope: Scope, key: str
    ) -> tuple[list[JsonObject], Expression]:
        """Return the schemas of a key in the sites that list it, and its type."""
        if len(holders) == 1:  # as nearly always
            schema = holders[0].named("properties")[key]
            if (plain := self._plain(schema)) is not None:
                return [schema] if isinstance(schema, dict) else [], plain
        schemas = [holder.named("properties")[key] for holder in holders]
        sites = tuple(holder.below("properties", key) for holder in fillers(holders, key))
        kind = self._convert(sites, scope.inside(pascal(key) or "Field"))
        return [schema for schema in schemas if isinstance(schema, dict)], kind

    def _array(self, layers: tuple[SchemaLocation, ...], scope: Scope) -> Expression:
        items = tuple(layer.below("items") for layer in layers if "items" in layer.members)
        for layer in layers:
            prefix = layer.listed("prefixItems")
            if prefix:
                return self._prefixed(prefix, items, layer, scope)
        if not items:
            return subscript("list", OBJECT)
        return subscript("list", self._held(items, scope, "Item"))

    def _prefixed(
        self,
        prefix: tuple[SchemaLocation, ...],
        items: tuple[SchemaLocation, ...],
        layer: SchemaLocation,
        scope: Scope,
    ) -> Expression:
        types = [
            self._held((site,), scope, f"Item{number}") for number, site in enumerate(prefix, 1)
        ]
        most = layer.members.get("maxItems")
        is_closed = any(item.node is False for item in items)
        if is_closed or (isinstance(most, int) and most <= len(types)):
            return subscript("list", union(types))
        rest = self._held(items, scope, "Item") if items else OBJECT
        return subscript("list", union((*types, rest)))

    def _object(
        self, layers: tuple[SchemaLocation, ...], sites: tuple[SchemaLocation, ...], scope: Scope
    ) -> Expression:
        holders: dict[str, list[SchemaLocation]] = {}
        required: dict[str, None] = {}
        for layer in layers:
            for key in layer.named("properties"):
                holders.setdefault(key, []).append(layer)
            required.update(dict.fromkeys(keys(layer.members.get("required"))))
            if layer.filled:
                required.update(dict.fromkeys(defaulted(layer.named("properties"))))
        has_form = any("properties" in layer.members for layer in layers)
        if not (holders or required) and not (has_form or is_closed(layers)):
            return subscript("dict", STRING, self._map_value(layers, scope))
        declared = self._claim(scope)
        inner = Scope(declared, None, frozenset())
        fields = {key: self._field(found, inner, key) for key, found in holders.items()}
        for key in required:
            if key not in fields:
                fields[key] = [], self._map_value(layers, inner)
        if "" in fields:  # no TypedDict has an empty key
            rest = () if is_closed(layers) else (self._map_value(layers, inner),)
            return subscript("dict", STRING, union((*(each for _, each in fields.values()), *rest)))
        said = [site.members for site in (*sites, *layers)]
        record = declare_record(
            declared, fields, required.keys(), said, scope.doc, texts=self._texts
        )
        self.declarations.append(record)
        return Name(declared)

    def _claim(self, scope: Scope) -> Identifier:
        """Return the name of a class: the view's name if the class is the view's whole type."""
        if scope.view is None:
            return self.names.give(scope.hint)
        given = self._open[scope.view] or self.names.give(scope.hint)
        self._open[scope.view] = given
        return given

    def _option(self, scope: Scope, suffix: str) -> Scope:
        """Return the scope of one type of a union, whose class cannot have the union's name."""
        if not suffix and scope.view is not None and self._open[scope.view]:
            suffix = "Object"
        return Scope(f"{scope.hint}{suffix}", None, scope.pending, scope.doc)

    def _map_value(self, layers: tuple[SchemaLocation, ...], scope: Scope) -> Expression:
        """Return the type of the values under keys that are not listed."""
        found: list[Expression] = []
        for layer in layers:
            patterns = keys(layer.members.get("patternProperties"))
            for number, pattern in enumerate(patterns):
                suffix = f"Value{number + 1 if number else ''}"
                site = layer.below("patternProperties", pattern)
                found.append(self._held((site,), scope, suffix))
            extra = layer.members.get("additionalProperties")
            if extra is not None and extra is not False:
                site = layer.below("additionalProperties")
                found.append(self._held((site,), scope, "Value"))
            elif found and extra is None:
                found.append(OBJECT)
        return union(found) if found else OBJECT

    def _values(
        self, layer: SchemaLocation, values: list[JsonValue], kinds: tuple[str, ...] | None
    ) -> Expression:
        options = [listed_type(values, kinds)]
        if any(isinstance(value, list) for value in values):
            options.append(subscript("list", self._give_up(layer, "an array as a constant")))
        if any(isinstance(value, dict) for value in values):
            given_up = self._give_up(layer, "an object as a constant")
            options.append(subscript("dict", STRING, given_up))
        return union(options)

    def _unknown(self, sites: tuple[SchemaLocation, ...]) -> Expression:
        """Return `object`; record a fallback if the schema has keywords that would narrow it."""
        for site in sites:
            for keyword in ("not", "if", "$dynamicRef"):
                if keyword in site.members:
                    return self._give_up(site, f"`{keyword}` alone")
        return OBJECT

    def _give_up(self, site: SchemaLocation, reason: str) -> Expression:
        self.fallbacks.append(Fallback(site.root.key, site.path, reason))
        return OBJECT


def _view(sites: tuple[SchemaLocation, ...]) -> View:
    """Return the identity of a conjunction of sites."""
    return tuple((site.key, site.without) for site in sites)
