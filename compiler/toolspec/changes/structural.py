"""Structural proofs of containment: each keyword of a receiver follows from those of a sender.

The engine of jsonschema-rs has no answer for recursive schemas, long unions and most keywords of
members. Here a proof is a walk of both schemas. It never says yes wrongly, and is silent about what
it has no rule for. Each step costs fuel, so that no schema takes long.

A schema that refers to itself is proved by induction on values: what is assumed of a schema holds for
the members of its values, never for the value itself.
"""

from __future__ import annotations

from itertools import chain
from math import ceil, floor, inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from toolspec.changes.nodes import Root, asserted
from toolspec.shared.json_values import are_equal, as_list, as_object, identity
from toolspec.shared.validator import InvalidSchemaError, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue

_FUEL = 10_000
_MOST_VALUES = 64
_EXACT = 2**53

# An integer is a number without a fraction, and every number is one or the other.
_KINDS = {
    "array": {"array"},
    "boolean": {"boolean"},
    "integer": {"integer"},
    "null": {"null"},
    "number": {"integer", "fraction"},
    "object": {"object"},
    "string": {"string"},
}
_ALL = frozenset().union(*_KINDS.values())
_NUMBERS = frozenset({"integer", "fraction"})
_SPLIT: tuple[JsonObject, ...] = tuple(
    {"type": name} for name in ("null", "boolean", "number", "string", "array", "object")
)
_CONTEXTUAL = {"$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"}
_LOWEST = {"minLength": "string", "minItems": "array", "minProperties": "object"}
_HIGHEST = {"maxLength": "string", "maxItems": "array", "maxProperties": "object"}
_CONDITION = ("if", "then", "else")
_CONTAINED = ("contains", "minContains", "maxContains")


class Part(NamedTuple):
    """Keywords that apply to a value, and the root of their references."""

    root: Root
    keywords: JsonObject


Parts: TypeAlias = tuple[Part, ...]
"""Schemas that a value satisfies together."""


class _OutOfFuelError(Exception):
    """A proof takes too many steps."""


def is_contained(sender: JsonValue, receiver: JsonValue, *, formats: bool) -> bool:
    """Return whether each value of the sender is proved to be valid for the receiver."""
    proof = _Containment(formats=formats)
    try:
        return proof.holds(proof.opened(Root(sender), sender), Root(receiver), receiver)
    except (_OutOfFuelError, RecursionError):
        return False


class _Containment:
    def __init__(self, *, formats: bool) -> None:
        self._formats = formats
        self._fuel = _FUEL
        self._depth = 0
        self._open: dict[tuple[object, ...], int] = {}
        self._kept: list[object] = []  # alive, so that identities stay theirs
        self._plain = Root(True)  # noqa: FBT003 - the schema of anything
        self._derived: dict[tuple[tuple[str, int], ...], JsonObject] = {}
        self._tagged: dict[tuple[int, int], dict[str, frozenset[object]]] = {}
        self._validators: dict[tuple[int, int], Accepts | None] = {}

    # Goals

    def holds(self, sender: Parts | None, root: Root, schema: JsonValue) -> bool:
        """Return whether each value that satisfies all of some parts is valid for a schema."""
        if sender is None or schema is True or schema == {}:
            return True
        self._spend(1 + len(sender) // 8)
        if not isinstance(schema, dict):
            return self.is_empty(sender)
        key = (
            frozenset((id(part.root), id(part.keywords)) for part in sender),
            id(root),
            id(schema),
        )
        if key in self._open:
            return self._open[key] < self._depth
        self._kept.append((sender, root, schema))
        self._open[key] = self._depth
        try:
            return self._holds(sender, Part(root, schema))
        finally:
            del self._open[key]

    def _holds(self, sender: Parts, whole: Part) -> bool:  # noqa: C901, PLR0911 - one rule after another
        root, schema = whole
        if any(part.root.same(part.keywords, root, schema) for part in sender):
            return True
        values = self._values(sender)
        if values is not None:
            return all(
                self._accepts(whole, value) is True
                or any(self._accepts(part, value) is False for part in sender)
                for value in values
            )
        if not _kinds(sender):
            return True
        keywords = asserted(schema)
        if not _CONTEXTUAL.isdisjoint(keywords):
            return False
        if "$ref" in keywords:
            target = root.references.of(keywords)
            if target is None or not self.holds(sender, root, target):
                return False
        left = {
            name: item
            for name, item in keywords.items()
            if name != "$ref" and not self._implies(sender, Part(root, keywords), name)
        }
        if not left:
            return True
        if "additionalProperties" in left:  # it depends on its neighbours
            left |= {
                name: keywords[name]
                for name in ("properties", "patternProperties")
                if name in keywords
            }
        if "items" in left and "prefixItems" in keywords:
            left["prefixItems"] = keywords["prefixItems"]
        for group in (_CONDITION, _CONTAINED):
            if not left.keys().isdisjoint(group):
                left |= {name: keywords[name] for name in group if name in keywords}
        return self._holds_in_cases(sender, root, self._made(left))

    def _holds_in_cases(self, sender: Parts, root: Root, schema: JsonObject) -> bool:
        cases = self._cases(sender)
        first = next(cases, sender)
        if first is sender:
            return self.is_empty(sender)
        return all(
            self.holds(case, root, schema) for case in chain((first,), cases)
        ) or self.is_empty(sender)

    def is_empty(self, parts: Parts | None) -> bool:
        """Return whether no value satisfies all of some parts."""
        if parts is None:
            return True
        self._spend()
        key = (frozenset((id(part.root), id(part.keywords)) for part in parts), "empty")
        if key in self._open:
            return self._open[key] < self._depth
        self._kept.append(parts)
        self._open[key] = self._depth
        try:
            return self._is_empty(parts)
        finally:
            del self._open[key]

    def _is_empty(self, parts: Parts) -> bool:
        values = self._values(parts)
        if values is not None:
            return all(
                any(self._accepts(part, value) is False for part in parts) for value in values
            )
        if all(self._lacks(parts, kind) for kind in _kinds(parts)):
            return True
        for index, (root, keywords) in enumerate(parts):
            if "not" in keywords:
                rest = self._without(parts, index, "not")
                if self.holds(rest, root, keywords["not"]):
                    return True
        cases = self._cases(parts)
        first = next(cases, parts)
        return first is not parts and all(self.is_empty(case) for case in chain((first,), cases))

    def _lacks(self, parts: Parts, kind: str) -> bool:  # noqa: PLR0911 - a rule a type
        """Return whether no value of a type satisfies all of some parts."""
        if kind in _NUMBERS:
            low, high = _lower(parts), _upper(parts)
            if kind == "integer":
                return _whole(low) > -_whole((-high[0], high[1]))
            return low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))
        if kind == "string":
            return _most_of(parts, "minLength") > _least_of(parts, "maxLength")
        if kind == "array":
            least = _most_of(parts, "minItems")
            return least > self._longest(parts) or any(
                self._is_empty_inside(self._item(parts, index))
                for index in range(min(int(least), 8))
            )
        if kind == "object":
            required = _required(parts)
            if max(len(required), _most_of(parts, "minProperties")) > self._largest(parts):
                return True
            return any(
                self._is_empty_inside(self._member(parts, name)) for name in sorted(required)
            )
        return False

    def _is_empty_inside(self, parts: Parts | None) -> bool:
        """Return whether a member has no value."""
        self._depth += 1
        try:
            return self.is_empty(parts)
        finally:
            self._depth -= 1

    def _holds_inside(self, sender: Parts | None, root: Root, schema: JsonValue) -> bool:
        """Return what `holds` returns, for a member of the value."""
        self._depth += 1
        try:
            return self.holds(sender, root, schema)
        finally:
            self._depth -= 1

    # Keywords of a receiver

    def _implies(self, sender: Parts, receiver: Part, name: str) -> bool:  # noqa: C901, PLR0911, PLR0912 - a rule a keyword
        """Return whether a sender's values satisfy one keyword of a receiver."""
        root, keywords = receiver
        value, kinds = keywords[name], _kinds(sender)
        match name:
            case "type":
                return kinds <= _kinds((receiver,))
            case "allOf":
                return all(self.holds(sender, root, part) for part in as_list(value))
            case "anyOf":
                return any(
                    self.holds(sender, root, branch)
                    for branch in as_list(value)
                    if not self._is_apart(sender, root, branch)
                )
            case "oneOf":
                return self._is_one(sender, root, as_list(value))
            case "not":
                added = self.opened(root, value)
                return added is None or self.is_empty((*sender, *added))
            case "if" | "then" | "else":
                return name != "if" or self._is_conditional(sender, receiver)
            case "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" | "multipleOf":
                return kinds.isdisjoint(_NUMBERS) or _is_within(sender, name, value)
            case "minLength" | "minItems" | "minProperties":
                return _LOWEST[name] not in kinds or self._least(sender, name) >= _number(
                    value, inf
                )
            case "maxLength" | "maxItems" | "maxProperties":
                return _HIGHEST[name] not in kinds or self._most(sender, name) <= _number(value, -1)
            case "format" | "contentEncoding":
                return not self._formats or "string" not in kinds or _is_stated(sender, name, value)
            case "pattern":
                return "string" not in kinds or _is_stated(sender, name, value)
            case "required":
                return "object" not in kinds or set(map(str, as_list(value))) <= _required(sender)
            case "properties":
                return "object" not in kinds or all(
                    self._has_member(sender, property_, root, schema)
                    for property_, schema in as_object(value).items()
                )
            case "additionalProperties":
                return "object" not in kinds or self._has_rest(sender, receiver)
            case "patternProperties":
                return "object" not in kinds or all(
                    self._has_pattern(sender, pattern, root, schema)
                    for pattern, schema in as_object(value).items()
                )
            case "propertyNames":
                return "object" not in kinds or self._has_names(sender, root, value)
            case "dependentRequired":
                return "object" not in kinds or all(
                    self._depends(sender, property_, as_list(names))
                    for property_, names in as_object(value).items()
                )
            case "items" | "prefixItems":
                return "array" not in kinds or self._has_items(sender, receiver, name)
            case "uniqueItems":
                return (
                    "array" not in kinds
                    or _is_stated(sender, name, value)
                    or self._longest(sender) <= 1
                )
            case "contains" | "minContains" | "maxContains":
                return (
                    "array" not in kinds
                    or "contains" not in keywords
                    or any(_contains_as_many(part, receiver) for part in sender)
                )
        return False

    def _is_one(self, sender: Parts, root: Root, branches: list[JsonValue]) -> bool:
        near = [branch for branch in branches if not self._is_apart(sender, root, branch)]
        for index, branch in enumerate(near):
            if self.holds(sender, root, branch):
                others = (self.opened(root, other) for other in _except(near, index))
                return all(other is None or self.is_empty((*sender, *other)) for other in others)
        return False

    def _is_apart(self, sender: Parts, root: Root, branch: JsonValue) -> bool:
        """Return whether a tag, a required property with few values, makes two schemas exclusive.

        It does so for objects only: any other value is valid for both, unless `type` excludes it.
        """
        if not isinstance(branch, dict):
            return False
        own, other = self._tags(sender), self._tags((Part(root, branch),))
        if all(own[name] & values for name, values in other.items() if name in own):
            return False
        if _kinds(sender) <= {"object"}:
            return True
        return _kinds((*sender, *(self.opened(root, branch) or ()))) <= {"object"}

    def _tags(self, parts: Parts) -> dict[str, frozenset[object]]:
        """Return the values of required members that have few, in the parts or what they refer to."""
        tags: dict[str, frozenset[object]] = {}
        for root, keywords in parts:
            key = id(root), id(keywords)
            if key not in self._tagged:
                self._kept.append(keywords)
                self._tagged[key] = _tags_of(root, keywords)
            tags |= self._tagged[key]
        return tags

    def _is_conditional(self, sender: Parts, receiver: Part) -> bool:
        root, keywords = receiver
        condition = self.opened(root, keywords["if"])
        if condition is not None and not self.holds(
            (*sender, *condition), root, keywords.get("then", True)
        ):
            return False
        negated = Part(root, self._made({"not": keywords["if"]}))
        return self.holds((*sender, negated), root, keywords.get("else", True))

    def _least(self, sender: Parts, name: str) -> float:
        least = _most_of(sender, name)
        return max(least, len(_required(sender))) if name == "minProperties" else least

    def _most(self, sender: Parts, name: str) -> float:
        if name == "maxItems":
            return self._longest(sender)
        return self._largest(sender) if name == "maxProperties" else _least_of(sender, name)

    def _longest(self, parts: Parts) -> float:
        """Return the most items that an array can have."""
        most = _least_of(parts, "maxItems")
        for _, keywords in parts:
            if keywords.get("items") is False:
                most = min(most, len(as_list(keywords.get("prefixItems"))))
        return most

    def _largest(self, parts: Parts) -> float:
        """Return the most members that an object can have."""
        most = _least_of(parts, "maxProperties")
        for part in parts:
            if _is_closed(part):
                most = min(most, len(_declared(part)))
        return most

    # Members of objects

    def _has_member(self, sender: Parts, name: str, root: Root, schema: JsonValue) -> bool:
        return self._holds_inside(self._member(sender, name), root, schema)

    def _has_rest(self, sender: Parts, receiver: Part) -> bool:
        """Return whether members that a receiver does not declare satisfy its schema for the rest."""
        root, keywords = receiver
        schema = keywords["additionalProperties"]
        patterns = as_object(keywords.get("patternProperties"))
        named = {name for part in sender for name in as_object(part.keywords.get("properties"))}
        for name in sorted(named - as_object(keywords.get("properties")).keys()):
            if any(self._matches(pattern, name) is not False for pattern in patterns):
                if all(self._matches(pattern, name) is not True for pattern in patterns):
                    return False
                continue
            if not self._has_member(sender, name, root, schema):
                return False
        return any(self._has_others(part, root, schema, patterns) for part in sender) or (
            self._holds_inside((), root, schema)
        )

    def _has_others(self, part: Part, root: Root, schema: JsonValue, patterns: JsonObject) -> bool:
        """Return whether members that a part does not name satisfy a schema, or have a pattern."""
        others = [
            item
            for pattern, item in as_object(part.keywords.get("patternProperties")).items()
            if pattern not in patterns
        ]
        others.append(part.keywords.get("additionalProperties", True))
        return all(
            self._holds_inside(self.opened(part.root, item), root, schema) for item in others
        )

    def _has_pattern(self, sender: Parts, pattern: str, root: Root, schema: JsonValue) -> bool:
        """Return whether all members with a matching name satisfy a schema."""
        for part in sender:
            patterns = as_object(part.keywords.get("patternProperties"))
            if pattern in patterns and self._holds_inside(
                self.opened(part.root, patterns[pattern]), root, schema
            ):
                return True
        named = {name for part in sender for name in as_object(part.keywords.get("properties"))}
        for name in sorted(named):
            if self._matches(pattern, name) is not False and not self._has_member(
                sender, name, root, schema
            ):
                return False
        return any(self._has_others(part, root, schema, {}) for part in sender)

    def _has_names(self, sender: Parts, root: Root, schema: JsonValue) -> bool:
        """Return whether the names of all members satisfy a schema."""
        string = Part(self._plain, _SPLIT[3])
        for part in sender:
            names = self.opened(part.root, part.keywords.get("propertyNames", True))
            if names is None or self._holds_inside((string, *names), root, schema):
                return True
            if _is_closed(part):
                return all(
                    (isinstance(schema, dict) and self._accepts(Part(root, schema), name))
                    or self._is_empty_inside(self._member(sender, name))
                    for name in _declared(part)
                )
        return False

    def _depends(self, sender: Parts, name: str, names: list[JsonValue]) -> bool:
        wanted = set(map(str, names)) - _required(sender)
        return (
            not wanted
            or any(
                wanted
                <= set(
                    map(str, as_list(as_object(part.keywords.get("dependentRequired")).get(name)))
                )
                for part in sender
            )
            or self._is_empty_inside(self._member(sender, name))
        )

    def _member(self, parts: Parts, name: str) -> Parts | None:
        """Return what a member of an object satisfies; None if the object cannot have it."""
        member: Parts = ()
        for root, keywords in parts:
            properties = as_object(keywords.get("properties"))
            schemas = [properties[name]] if name in properties else []
            is_matched: bool | None = False
            for pattern, schema in as_object(keywords.get("patternProperties")).items():
                matches = self._matches(pattern, name)
                if matches:
                    schemas.append(schema)
                is_matched = is_matched if matches is False else matches or is_matched
            if not schemas and is_matched is False:
                schemas = [keywords.get("additionalProperties", True)]
            for schema in schemas:
                added = self.opened(root, schema)
                if added is None:
                    return None
                member += added
        return member

    def _matches(self, pattern: str, name: str) -> bool | None:
        """Return whether a name matches a pattern; None if the validator cannot tell."""
        return self._accepts(Part(self._plain, self._made({"pattern": pattern})), name)

    # Items of arrays

    def _has_items(self, sender: Parts, receiver: Part, name: str) -> bool:
        root, keywords = receiver
        first = as_list(keywords.get("prefixItems"))
        longest = self._longest(sender)
        if name == "prefixItems":
            places = [(index, item) for index, item in enumerate(first) if index < longest]
        else:
            known = (len(as_list(part.keywords.get("prefixItems"))) for part in sender)
            last = max([len(first), *known])
            places = [
                (index, keywords["items"])
                for index in range(len(first), last + 1)
                if index < longest
            ]
        return all(
            self._holds_inside(self._item(sender, index), root, item) for index, item in places
        )

    def _item(self, parts: Parts, index: int) -> Parts | None:
        """Return what an item satisfies; None if there can be none."""
        item: Parts = ()
        for root, keywords in parts:
            first = as_list(keywords.get("prefixItems"))
            schema = first[index] if index < len(first) else keywords.get("items", True)
            added = self.opened(root, schema)
            if added is None:
                return None
            item += added
        return item

    # Senders

    def opened(self, root: Root, schema: JsonValue) -> Parts | None:
        """Return the parts of a schema, through `$ref` and `allOf`; None if it has no values."""
        parts: Parts = ()
        waiting, seen = [schema], set()
        while waiting:
            value = waiting.pop()
            self._spend()
            if value is False:
                return None
            if not isinstance(value, dict) or id(value) in seen:
                continue
            seen.add(id(value))
            parts += (Part(root, value),)
            target = root.references.of(value)
            waiting += [*as_list(value.get("allOf"))]
            if target is not None:
                waiting.append(target)
        return parts

    def _cases(self, parts: Parts) -> Iterator[Parts | None]:
        """Yield cases of which each value satisfies one: of a union, a condition, or the types.

        There are none for schemas that cannot be split.
        """
        for index, (root, keywords) in enumerate(parts):
            word = next((word for word in ("anyOf", "oneOf") if keywords.get(word)), "")
            if word:
                rest, branches = self._without(parts, index, word), as_list(keywords[word])
                for at, branch in enumerate(branches):
                    others = _except(branches, at) if word == "oneOf" else []
                    yield self._joined(rest, root, branch, others)
                return
            if "if" in keywords:
                rest = self._without(parts, index, *_CONDITION)
                condition = keywords["if"]
                chosen: JsonObject = {"allOf": [condition, keywords.get("then", True)]}
                yield self._joined(rest, root, self._made(chosen), [])
                yield self._joined(rest, root, keywords.get("else", True), [condition])
                return
        kinds = _kinds(parts)
        groups = [kind for kind in _SPLIT if not _KINDS[str(kind["type"])].isdisjoint(kinds)]
        if len(groups) > 1:
            for kind in groups:
                yield (*parts, Part(self._plain, kind))

    def _joined(
        self, parts: Parts, root: Root, schema: JsonValue, refused: list[JsonValue]
    ) -> Parts | None:
        """Return parts with a schema, and without the values of others."""
        self._spend(len(refused) // 8)
        added = self.opened(root, schema)
        if added is None:
            return None
        negated = [
            Part(root, self._made({"not": other}))
            for other in refused
            if not self._is_apart(added, root, other)
        ]
        return (*parts, *added, *negated)

    def _without(self, parts: Parts, index: int, *words: str) -> Parts:
        """Return parts of which one lacks some keywords."""
        root, keywords = parts[index]
        rest = {name: item for name, item in keywords.items() if name not in words}
        return (*parts[:index], Part(root, self._made(rest)), *parts[index + 1 :])

    def _values(self, parts: Parts) -> list[JsonValue] | None:
        """Return all values that may satisfy some parts; None if they are too many."""
        for _, keywords in parts:
            if "const" in keywords:
                return [keywords["const"]]
            values = keywords.get("enum")
            if isinstance(values, list) and len(values) <= _MOST_VALUES:
                return values
        kinds = _kinds(parts)
        if parts and kinds <= {"null", "boolean"}:
            return [
                *([None] if "null" in kinds else ()),
                *([True, False] if "boolean" in kinds else ()),
            ]
        return None

    def _accepts(self, part: Part, value: JsonValue) -> bool | None:
        """Return whether a schema accepts a value; None if it cannot be compiled alone."""
        key = id(part.root), id(part.keywords)
        if key not in self._validators:
            self._spend(10)
            self._kept.append(part)
            alone = part.root.standalone(part.keywords)
            try:
                self._validators[key] = (
                    None if alone is None else compiled(alone, formats=self._formats)
                )
            except InvalidSchemaError:
                self._validators[key] = None
        accepts = self._validators[key]
        return None if accepts is None else accepts(value)

    def _made(self, keywords: JsonObject) -> JsonObject:
        """Return keywords as the same object each time, as the search for a repeated goal needs."""
        key = tuple((name, id(item)) for name, item in keywords.items())
        return self._derived.setdefault(key, keywords)

    def _spend(self, cost: int = 1) -> None:
        self._fuel -= cost
        if self._fuel < 0:
            raise _OutOfFuelError


def _kinds(parts: Parts) -> frozenset[str]:
    """Return the types of the values that satisfy all of some parts, as far as `type` says."""
    kinds = _ALL
    for _, keywords in parts:
        stated = keywords.get("type")
        if stated is not None:
            names = stated if isinstance(stated, list) else [stated]
            kinds &= frozenset().union(*(_KINDS.get(str(name), _ALL) for name in names))
    return kinds


def _contains_as_many(part: Part, receiver: Part) -> bool:
    """Return whether a part counts the same items as a receiver, within the limits of that one."""
    own, other = part.keywords, receiver.keywords
    return (
        "contains" in own
        and _number(own.get("minContains"), 1) >= _number(other.get("minContains"), 1)
        and _number(own.get("maxContains"), inf) <= _number(other.get("maxContains"), inf)
        and part.root.same(own["contains"], receiver.root, other["contains"])
    )


def _tags_of(root: Root, keywords: JsonObject) -> dict[str, frozenset[object]]:
    for _ in range(8):
        target = root.references.of(keywords) if len(keywords) == 1 else None
        if not isinstance(target, dict):
            break
        keywords = target
    members, tags = as_object(keywords.get("properties")), {}
    for name in as_list(keywords.get("required")):
        member = members.get(str(name))
        if isinstance(member, dict):
            values = [member["const"]] if "const" in member else member.get("enum")
            if isinstance(values, list):
                tags[str(name)] = frozenset(map(identity, values))
    return tags


def _lower(parts: Parts) -> tuple[float, bool]:
    """Return the greatest lower bound of numbers, and whether it is excluded."""
    stated = [
        (bound, word == "exclusiveMinimum")
        for _, keywords in parts
        for word in ("minimum", "exclusiveMinimum")
        if abs(bound := _number(keywords.get(word), -inf)) < _EXACT
    ]
    return max(stated, default=(-inf, False))


def _upper(parts: Parts) -> tuple[float, bool]:
    """Return the least upper bound of numbers, and whether it is excluded."""
    stated = [
        (-bound, word == "exclusiveMaximum")
        for _, keywords in parts
        for word in ("maximum", "exclusiveMaximum")
        if abs(bound := _number(keywords.get(word), inf)) < _EXACT
    ]
    bound, is_open = max(stated, default=(-inf, False))
    return -bound, is_open


def _whole(bound: tuple[float, bool]) -> float:
    """Return the least integer above a lower bound."""
    value, is_open = bound
    if abs(value) == inf:
        return value
    return floor(value) + 1 if is_open else ceil(value)


def _is_within(sender: Parts, name: str, value: JsonValue) -> bool:
    """Return whether the numbers of a sender satisfy one keyword."""
    limit = _number(value, inf)
    if _is_stated(sender, name, value):
        return True
    if abs(limit) >= _EXACT:
        return False
    are_whole = "fraction" not in _kinds(sender)
    if name == "multipleOf":
        steps = [_number(part.keywords.get(name), 0) for part in sender]
        steps += [1] * are_whole
        return limit % 1 == 0 and any(
            step and step % 1 == 0 and abs(step) < _EXACT and step % limit == 0 for step in steps
        )
    if name.endswith("aximum"):
        (bound, is_open), limit = _upper(sender), -limit
        bound = -bound
    else:
        bound, is_open = _lower(sender)
    if are_whole:
        bound, is_open = _whole((bound, is_open)), False
    return bound > limit or (bound == limit and (is_open or not name.startswith("exclusive")))


def _is_stated(parts: Parts, name: str, value: JsonValue) -> bool:
    return any(name in part.keywords and are_equal(part.keywords[name], value) for part in parts)


def _most_of(parts: Parts, name: str) -> float:
    return max((_number(part.keywords.get(name), 0) for part in parts), default=0)


def _least_of(parts: Parts, name: str) -> float:
    return min((_number(part.keywords.get(name), inf) for part in parts), default=inf)


def _required(parts: Parts) -> set[str]:
    return {str(name) for part in parts for name in as_list(part.keywords.get("required"))}


def _is_closed(part: Part) -> bool:
    """Return whether an object can have declared members only."""
    keywords = part.keywords
    return keywords.get("additionalProperties") is False and not keywords.get("patternProperties")


def _declared(part: Part) -> list[str]:
    properties = as_object(part.keywords.get("properties"))
    return [name for name, schema in properties.items() if schema is not False]


def _except(items: list[JsonValue], index: int) -> list[JsonValue]:
    return [*items[:index], *items[index + 1 :]]


def _number(value: JsonValue, otherwise: float) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number else otherwise  # type: ignore[return-value]  # a number
