"""Differences of two schemas: each has a name, a place, and a proof of what it means for a sender.

Arguments go from old callers to the new tool, results from the new tool to old readers. The schema
of a sender is read as closed where it declares members and says nothing of others, so that a property
nobody declared is no promise; the old schema of results is read as open, unless its readers are strict.

Both schemas are walked together, through keywords that narrow a value together with the others:
there, a schema is safe if each difference is. Others (`not`, `if`, `contains` …) are compared whole, if
they differ.
What stays without a proof is judged by both schemas as a whole.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from toolspec.changes.change import Proof, Verdict
from toolspec.changes.moves import with_moves
from toolspec.changes.nodes import KEYWORD_GROUPS, Node, Root, asserted
from toolspec.shared.canonical import canonical_json
from toolspec.shared.json_values import are_equal, as_list, as_object, identity, shown
from toolspec.shared.keywords import ALLOW
from toolspec.shared.records import dataclass, replace
from toolspec.shared.samples import NoSampleError, minimal
from toolspec.shared.validator import InvalidSchemaError, compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolspec.changes.proof import Prover
    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue, Path

SAFE = Proof(Verdict.SAFE)

_OPEN = (Verdict.NOT_PROVED, Verdict.EXPIRED)
_VALUES = {"enum", "const", "default", "examples", "required"}

_LOWER = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"}
_UPPER = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"}
_LIMITS = tuple(sorted(_LOWER | _UPPER))
_CONSTRAINTS = {"uniqueItems", "multipleOf", "contains", "propertyNames", "contentEncoding"}
_CONDITIONS = {"not", "if", "then", "else", "dependentSchemas", "dependentRequired"}
_SUBSCHEMAS = {"contains", "propertyNames", "not", "if", "then", "else"}
_OBJECT = {"properties", "required", "additionalProperties"}
_IN_PLACE = {"allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "$ref"}
_COMPOSED = _IN_PLACE | {"then", "else"}
_DEFINITIONS = {"$defs", "definitions"}
_NAMED = _DEFINITIONS | {"properties", "patternProperties", "dependentSchemas"}
_STATED = {"additionalProperties", *_COMPOSED} - {"not"}
_HEAVY = _OBJECT | {"items", "prefixItems", "anyOf", "oneOf", "allOf", "$defs", "definitions"}
_OF_MEMBERS = {"propertyNames", "minProperties", "maxProperties"} | _CONDITIONS
_NOTES = {
    "description": "description",
    "title": "title",
    "examples": "example",
    "deprecated": "deprecation",
    "x-mcp-header": "header",
    "discriminator": "discriminator",
}
_READ = {"x-mcp-header", ALLOW}
"""Extensions that have kinds of their own, or none."""
_OPAQUE = {
    "unevaluatedProperties", "unevaluatedItems", "patternProperties", "$dynamicRef", "$recursiveRef",
}  # fmt: skip


class Flow(StrEnum):
    """Direction in which the values of a schema go; also the family of its changes."""

    ARGUMENT = "argument"
    RESULT = "result"


_TOP = {Flow.ARGUMENT: "the arguments", Flow.RESULT: "the result"}


class Readers(StrEnum):
    """How callers read a result: they ignore what they do not know, or validate it."""

    TOLERANT = "tolerant"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Edit:
    """One difference: its slug, where it is on both sides, values of its message, and a proof.

    The proof is None for what no value can violate, such as a description.
    """

    slug: str
    old_path: Path | None
    new_path: Path | None
    values: JsonObject
    proof: Proof | None


class Members(NamedTuple):
    """The members that schemas of one object declare or require.

    `is_declaring` says whether a schema has `properties`, `has_others` whether `additionalProperties`
    of one allows more members.
    """

    names: frozenset[str]
    is_declaring: bool
    has_others: bool


class Pair(NamedTuple):
    """Two subschemas at one place; `lift` makes a value of the whole schema from one of the sender.

    With `is_part`, other schemas apply to the same value, so neither declares all of its members.
    `around` has the members that the sender's schemas around this one declare, None without such schemas.
    """

    old: Node
    new: Node
    at: str
    lift: Callable[[JsonValue], JsonValue]
    is_part: bool
    around: Members | None


class SchemaComparison:
    """Compares two schemas of one tool, which are self-contained."""

    def __init__(  # noqa: PLR0913 - two sides, and how they are read
        self,
        old: JsonValue,
        new: JsonValue,
        flow: Flow,
        prover: Prover,
        *,
        formats: bool = True,
        readers: Readers = Readers.TOLERANT,
    ) -> None:
        if flow is Flow.ARGUMENT and isinstance(old, dict) and old.get("type") == "object":
            old = {"properties": {}, **old}  # a tool that declares no arguments has none
        self._old, self._new, self._flow = Root(old), Root(new), flow
        self._prover, self._formats = prover, formats
        self._is_strict = readers is Readers.STRICT
        self._visited: set[tuple[int, int]] = set()
        self._edits: list[Edit] = []
        self._waiting: list[
            tuple[
                JsonValue,
                JsonValue,
                Path,
                Path,
                str,
                Callable[[JsonValue], JsonValue],
                Members | None,
            ]
        ] = []

    def edits(self) -> list[Edit]:
        """Return the differences, those of the whole before those of its parts."""
        self._enter(self._old.value, self._new.value, (), (), "", lambda value: value)
        while self._waiting:
            old, new, old_path, new_path, at, lift, around = self._waiting.pop(0)
            if (id(old), id(new)) in self._visited:
                continue
            self._visited.add((id(old), id(new)))
            one, other = self._old.node(old, old_path), self._new.node(new, new_path)
            is_part = around is not None or not _IN_PLACE.isdisjoint(
                one.keywords.keys() | other.keywords.keys()
            )
            pair = Pair(one, other, at, lift, is_part, around)
            self._compare(pair, old, new)
        return with_moves(self._settled(), self._old, self._new)

    def _settled(self) -> list[Edit]:
        """Return the differences; those without a proof are judged by the schemas as a whole."""
        open_ = [edit for edit in self._edits if edit.proof and edit.proof.verdict in _OPEN]
        if not open_:
            return self._edits
        sender, receiver = self._ordered(self._old.value, self._new.value)
        if self._flow is Flow.RESULT and not self._is_strict:
            receiver = _opened(receiver)
        proof, witnesses = self._prover.decide(
            _closed_deeply(sender), receiver, formats=self._formats
        )
        if witnesses:
            proof = self._exact(witnesses)
        if proof.verdict is Verdict.SAFE or (proof.verdict is Verdict.BREAKING and len(open_) == 1):
            return [replace(edit, proof=proof) if edit in open_ else edit for edit in self._edits]
        return self._edits

    def _exact(self, witnesses: Sequence[str]) -> Proof:
        """Return a proof with the first value that exactly one of the schemas accepts."""
        accepts, receives = self._validators
        for witness in witnesses:
            value = json.loads(witness)
            if accepts(value) and not receives(value):
                return Proof(Verdict.BREAKING, witness)
        return Proof(Verdict.NOT_PROVED)

    @cached_property
    def _validators(self) -> tuple[Accepts, Accepts]:
        """The validators of the whole sender and of the whole receiver."""
        sender, receiver = self._ordered(self._old.value, self._new.value)
        return compiled(sender, formats=self._formats), compiled(receiver, formats=self._formats)

    # One pair of subschemas

    def _compare(self, pair: Pair, raw_old: JsonValue, raw_new: JsonValue) -> None:
        self._annotations(pair)
        old, new = asserted(pair.old.keywords), asserted(pair.new.keywords)
        if pair.old.is_nullable != pair.new.is_nullable:
            self._null(pair)
        if self._is_opaque(old, new):
            if not self._old.same(raw_old, self._new, raw_new):
                self._whole("schema-changed", pair)
            return
        if "false" in (_constant(old), _constant(new)) or not old or not new:
            if old != new:
                self._untyped(pair, old, new)
            return
        if self._types(pair):
            self._values(pair, old, new)
            self._limits(pair, old, new)
            self._constraints(pair, old, new)
            self._objects(pair, old, new)
            self._arrays(pair, old, new)
            self._parts(pair, old, new)
            self._branches(pair, old, new)

    def _is_opaque(self, old: JsonObject, new: JsonObject) -> bool:
        """Return whether two subschemas can only be compared whole."""
        if not _OPAQUE.isdisjoint(old.keys() | new.keys()):
            return True
        conditions = _CONDITIONS & old.keys() & new.keys()
        if not all(self._is_kept(keyword, old, new) for keyword in conditions):
            return True
        if isinstance(old.get("items"), list) or isinstance(new.get("items"), list):
            return True
        return ("$ref" in old) != ("$ref" in new)

    def _annotations(self, pair: Pair) -> None:
        old, new = pair.old.keywords, pair.new.keywords
        for keyword, slug in _NOTES.items():
            if keyword == "x-mcp-header" and self._flow is Flow.RESULT:
                continue
            if not are_equal(old.get(keyword), new.get(keyword)):
                values = {"before": shown(old.get(keyword)), "after": shown(new.get(keyword))}
                self._add(f"{slug}-changed", pair, None, (keyword,), **values)
        self._extensions(pair, old, new)
        self._secret(pair, old.get("writeOnly") is True, new.get("writeOnly") is True)
        if self._flow is Flow.RESULT:
            return
        if ("default" in old) != ("default" in new):
            slug = "default-added" if "default" in new else "default-removed"
            value = shown(new.get("default", old.get("default")))
            self._add(slug, pair, None, ("default",), value=value)
        elif not are_equal(old.get("default"), new.get("default")):
            values = {"before": shown(old["default"]), "after": shown(new["default"])}
            self._add("default-changed", pair, None, ("default",), **values)

    def _extensions(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        keywords = (key for key in {**old, **new} if key.startswith("x-"))
        for keyword in keywords:
            is_stated = keyword in old and keyword in new
            if keyword in _READ or (is_stated and are_equal(old[keyword], new[keyword])):
                continue
            slug = "extension-changed"
            if keyword == "x-unit":
                slug = "unit-changed" if is_stated else "unit-stated"
            before, after = (
                shown(each[keyword]) if keyword in each else "none" for each in (old, new)
            )
            values = {"keyword": keyword, "before": before, "after": after}
            self._add(slug, pair, None, (keyword,), **values)

    def _secret(self, pair: Pair, before: bool, after: bool) -> None:
        if before == after:
            return
        slug = "secret-marked" if after else "secret-unmarked"
        if self._flow is Flow.ARGUMENT:
            slug = "secret-changed"
        values = {"before": shown(before), "after": shown(after)}
        self._add(slug, pair, None, ("writeOnly",), **values)

    def _null(self, pair: Pair) -> None:
        is_added = pair.new.is_nullable
        root, other = (self._old, pair.old) if is_added else (self._new, pair.new)
        if root.accepts_null(other.keywords):
            return
        is_safe = is_added == (self._flow is Flow.ARGUMENT)
        proof = SAFE if is_safe else self._witnessed(pair, None)
        self._add("null-added" if is_added else "null-removed", pair, proof)

    def _untyped(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        slug = "typed" if not old else "untyped" if not new else "schema-changed"
        self._whole(slug, pair)

    def _types(self, pair: Pair) -> bool:
        """Report a difference of types; return whether the keywords can be compared."""
        old, new = pair.old.types, pair.new.types
        if old == new:
            return True
        if "type" not in pair.old.keywords and "type" not in pair.new.keywords:
            return True
        if _has_union(pair.old.keywords) != _has_union(pair.new.keywords):
            self._whole("schema-changed", pair)
            return False
        wide_old, wide_new = _widened(old), _widened(new)
        if old == {"integer"} and new == {"number"}:
            slug = "number-widened"
        elif old == {"number"} and new == {"integer"}:
            slug = "number-narrowed"
        elif wide_old < wide_new:
            slug = "type-widened"
        elif wide_new < wide_old:
            slug = "type-narrowed"
        else:
            slug = "type-changed"
        values = {"before": _named(old), "after": _named(new)}
        if slug == "type-changed":  # the last of its differences that is reported
            self._add(slug, pair, self._whole_proof(pair), ("type",), **values)
            return False
        own, receiver = self._ordered(pair.old.keywords, pair.new.keywords)
        sender = {key: item for key, item in asserted(own).items() if key not in _HEAVY | _IN_PLACE}
        receiver = {"type": receiver["type"]} if "type" in receiver else {}
        self._add(slug, pair, self._decided(pair, sender, receiver), ("type",), **values)
        return True

    def _values(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        before, after = old.get("enum"), new.get("enum")
        if not isinstance(before, list) and not isinstance(after, list):
            return
        if not isinstance(before, list) or not isinstance(after, list):
            slug = "values-restricted" if isinstance(after, list) else "values-freed"
            listed = after if isinstance(after, list) else before
            self._add(slug, pair, self._only(pair, "enum"), ("enum",), values=shown(listed))
            return
        kept, had = {identity(item) for item in after}, {identity(item) for item in before}
        removed = [item for item in before if identity(item) not in kept]
        added = [item for item in after if identity(item) not in had]
        if len(before) == len(after) == 1 and removed:
            values = {"before": shown(before[0]), "after": shown(after[0])}
            self._add("constant-changed", pair, self._only(pair, "enum"), ("enum",), **values)
            return
        for slug, items in (("value-removed", removed), ("value-added", added)):
            sent = (slug == "value-removed") == (self._flow is Flow.ARGUMENT)
            for item in items:
                proof = self._witnessed(pair, item) if sent else SAFE
                self._add(slug, pair, proof, ("enum",), value=shown(item))

    def _limits(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        for keyword in _LIMITS:
            default = 1 if keyword == "minContains" else None
            before, after = old.get(keyword, default), new.get(keyword, default)
            if before is after or are_equal(before, after):
                continue
            is_raised = after is not None and (before is None or _less(before, after))
            if keyword in _UPPER:
                is_tight = after is not None and (before is None or _less(after, before))
            else:
                is_tight = is_raised
            values = {
                "keyword": keyword,
                "before": "none" if before is None else shown(before),
                "after": "none" if after is None else shown(after),
            }
            slug = "bound-tightened" if is_tight else "bound-relaxed"
            self._add(slug, pair, self._only(pair, *_together(keyword)), (keyword,), **values)

    def _constraints(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        for keyword in ("pattern", "format", *sorted(_CONSTRAINTS), *sorted(_CONDITIONS)):
            if keyword not in old and keyword not in new:
                continue
            before, after = old.get(keyword), new.get(keyword)
            if keyword in old and keyword in new and self._are_same(keyword, before, after):
                continue
            stem = keyword if keyword in ("pattern", "format") else "constraint"
            stem = "condition" if keyword in _CONDITIONS else stem
            how = "added" if keyword not in old else "removed" if keyword not in new else "changed"
            values = {
                "keyword": keyword,
                "before": "none" if before is None else shown(before),
                "after": "none" if after is None else shown(after),
            }
            proof = self._only(pair, *_together(keyword))
            self._add(f"{stem}-{how}", pair, proof, (keyword,), **values)

    def _are_same(self, keyword: str, old: JsonValue, new: JsonValue) -> bool:
        if keyword in _SUBSCHEMAS:
            return self._old.same(old, self._new, new)
        if keyword == "dependentSchemas":
            return self._old.same({keyword: old}, self._new, {keyword: new})
        return are_equal(old, new)

    def _is_kept(self, keyword: str, old: JsonObject, new: JsonObject) -> bool:
        """Return whether a keyword, with those that give it its meaning, is the same on both sides."""
        return all(
            word in old and word in new and self._are_same(word, old[word], new[word])
            for word in _together(keyword)
            if word in old or word in new
        )

    # Objects

    def _objects(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        before, after = as_object(old.get("properties")), as_object(new.get("properties"))
        required, demanded = _names(old.get("required")), _names(new.get("required"))
        self._openness(pair, old, new)
        removed = [name for name in before if name not in after]
        added = [name for name in after if name not in before]
        for name in [*removed]:
            twin = self._renamed(before[name], [(other, after[other]) for other in added])
            if twin:
                removed.remove(name)
                added.remove(twin)
                self._moved(pair, name, twin, required)
        for name in removed:
            self._removed(pair, name, new, is_required=name in required)
        for name in added:
            self._added(pair, name, old, is_required=name in demanded)
        for name in [name for name in before if name in after]:
            at = _joined(pair.at, name)
            if (name in required) != (name in demanded):
                self._requirement(pair, name, is_required=name in demanded)
            lift = self._member_lift(pair, name)
            self._enter(
                before[name],
                after[name],
                (*pair.old.at("properties"), name),
                (*pair.new.at("properties"), name),
                at,
                lift,
            )
        for name in sorted((demanded - required) - after.keys()):
            self._requirement(pair, name, is_required=True)
        for name in sorted((required - demanded) - before.keys()):
            self._requirement(pair, name, is_required=False)
        common = [name for name in before if name in after]
        if common != [name for name in after if name in before]:
            self._add("order-changed", pair, None, ("properties",))

    def _openness(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
        if isinstance(before, dict) and isinstance(after, dict):
            self._enter(
                before,
                after,
                pair.old.at("additionalProperties"),
                pair.new.at("additionalProperties"),
                _joined(pair.at, "*"),
                self._member_lift(pair, "other"),
            )
            return
        if self._old.same(before, self._new, after):
            return
        if self._flow is Flow.ARGUMENT:
            slug = "opened" if after is True or before is False else "closed"
            is_safe = slug == "opened" or (
                _is_read_as_closed(pair, pair.old)
                and _names(old.get("required")) <= as_object(old.get("properties")).keys()
            )
        else:
            slug = "closed" if before is True or after is False else "opened"
            is_safe = slug == "closed" or (before is False and not self._is_strict)
        proof = SAFE if is_safe else self._object_proof(pair)
        self._add(slug, pair, proof, ("additionalProperties",))

    def _renamed(self, schema: JsonValue, others: list[tuple[str, JsonValue]]) -> str:
        """Return the only other property that has the same schema and description; else nothing."""
        if not isinstance(schema, dict) or not schema.get("description"):
            return ""
        same = [
            name
            for name, other in others
            if isinstance(other, dict)
            and other.get("description") == schema["description"]
            and self._old.same(schema, self._new, other)
        ]
        return same[0] if len(same) == 1 else ""

    def _moved(self, pair: Pair, name: str, twin: str, required: frozenset[str]) -> None:
        proof = self._object_proof(pair, name, twin)
        if self._flow is Flow.RESULT and name not in required and not self._is_strict:
            proof = Proof(Verdict.NOT_PROVED, reason="a reader that expects the old name")
        paths = (*pair.old.at("properties"), name), (*pair.new.at("properties"), twin)
        self._add_at(paths, "property-renamed", pair, proof, name=name, renamed=twin)

    def _removed(self, pair: Pair, name: str, new: JsonObject, *, is_required: bool) -> None:
        path = (*pair.old.at("properties"), name)
        if self._flow is Flow.ARGUMENT:
            rest = new.get("additionalProperties", True)
            slug = "property-removed" if rest is False else "property-ignored"
            proof = self._object_proof(pair, name) if rest is not True else SAFE
        elif is_required:
            slug, proof = "property-removed", self._object_proof(pair, name)
        else:
            slug = "optional-property-removed"
            is_sent = name in _names(new.get("required"))
            is_safe = not is_sent and not self._is_promised(pair, name)
            proof = SAFE if is_safe else self._object_proof(pair, name)
        self._add_at((path, None), slug, pair, proof, name=name)

    def _added(self, pair: Pair, name: str, old: JsonObject, *, is_required: bool) -> None:
        path = (*pair.new.at("properties"), name)
        if self._flow is Flow.ARGUMENT:
            is_sent = name in _names(old.get("required"))
            slug = "required-property-added" if is_required and not is_sent else "property-added"
            is_safe = not is_required and not is_sent and not self._is_promised(pair, name)
        else:
            slug = "property-added"
            rest = pair.old.keywords.get("additionalProperties")
            is_safe = (rest is None or rest is True) or (rest is False and not self._is_strict)
        proof = SAFE if is_safe else self._object_proof(pair, name)
        self._add_at((None, path), slug, pair, proof, name=name)

    def _is_promised(self, pair: Pair, name: str) -> bool:
        """Return whether the sender may send a member that its own `properties` do not declare.

        A contract promises nothing about a member that no schema of an object declares, if one of them
        declares others. An object of which none does takes what it is sent.
        """
        root, node = self._ordered((self._old, pair.old), (self._new, pair.new))[0]
        if node.keywords.get("additionalProperties") is False:
            return False
        found = _members(root, node.keywords, pair.around)
        is_free = pair.around is None and not found.is_declaring
        return is_free or found.has_others or name in found.names

    def _requirement(self, pair: Pair, name: str, *, is_required: bool) -> None:
        is_safe = is_required == (self._flow is Flow.RESULT)
        proof = SAFE if is_safe else self._object_proof(pair, name)
        slug = "became-required" if is_required else "became-optional"
        self._add(slug, pair, proof, ("required",), name=name)

    def _object_proof(self, pair: Pair, *names: str) -> Proof:
        """Return the proof of two objects, of which only some members and the openness matter."""
        sides = []
        for root, node in ((self._old, pair.old), (self._new, pair.new)):
            own = asserted(node.keywords)
            members = as_object(own.get("properties"))
            shape: JsonObject = {
                "type": "object",
                "properties": {
                    name: root.standalone(member) if name in names else True
                    for name, member in members.items()
                },
            }
            if "required" in own:
                shape["required"] = own["required"]
            rest = node.keywords.get("additionalProperties")
            if rest is not None:
                shape["additionalProperties"] = root.standalone(rest)
            is_sender = node is self._ordered(pair.old, pair.new)[0]
            if is_sender and _is_read_as_closed(pair, node):
                shape = _closed(shape)
            if (
                not is_sender
                and self._flow is Flow.RESULT
                and not self._is_strict
                and rest is False
            ):
                del shape["additionalProperties"]
            sides.append(_hoisted(shape))
        sender, receiver = self._ordered(*sides)
        proof, witnesses = self._prover.decide(sender, receiver, formats=self._formats)
        return self._relift(pair, witnesses) if witnesses else proof

    # Arrays, parts and branches

    def _arrays(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        first, second = old.get("prefixItems"), new.get("prefixItems")
        if first is not None or second is not None:
            before, after = as_list(first), as_list(second)
            if len(before) != len(after):
                self._whole("positions-changed", pair)
                return
            for index, (one, other) in enumerate(zip(before, after, strict=True)):
                self._enter(
                    one,
                    other,
                    (*pair.old.at("prefixItems"), index),
                    (*pair.new.at("prefixItems"), index),
                    f"{pair.at}[{index}]",
                    self._unliftable,
                )
        if "items" in old or "items" in new:
            self._enter(
                old.get("items", True),
                new.get("items", True),
                pair.old.at("items"),
                pair.new.at("items"),
                f"{pair.at}[]",
                lambda value: pair.lift(
                    [value] * max(1, int(_number(self._ordered(old, new)[0].get("minItems"))))
                ),
            )

    def _parts(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        before, after = as_list(old.get("allOf")), as_list(new.get("allOf"))
        left, gone = list(enumerate(after)), []
        for index, part in enumerate(before):
            match = next((each for each in left if self._old.same(part, self._new, each[1])), None)
            if match is None:
                gone.append((index, part))
            else:
                left.remove(match)
                self._descend(pair, "allOf", (index, part), match)
        if len(gone) == len(left) == 1:
            self._descend(pair, "allOf", gone[0], left[0])
            return
        for index, _ in gone:
            self._add("part-removed", pair, self._only(pair, "allOf"), ("allOf", index))
        for index, _ in left:
            self._add("part-added", pair, self._only(pair, "allOf"), ("allOf", index))

    def _branches(self, pair: Pair, old: JsonObject, new: JsonObject) -> None:
        words = [word for word in ("anyOf", "oneOf") if word in old or word in new]
        if not words:
            return
        first = next((word for word in words if word in old), "")
        second = next((word for word in words if word in new), "")
        before, after = as_list(old.get(first)), as_list(new.get(second))
        if len(words) > 1 and first == second:
            self._whole("schema-changed", pair)
            return
        if not before or not after:
            self._whole("schema-changed", pair)
            return
        keys_old = [self._tag(self._old, branch) for branch in before]
        keys_new = [self._tag(self._new, branch) for branch in after]
        are_told_apart = self._are_apart(self._old, pair.old, before) and self._are_apart(
            self._new, pair.new, after
        )
        is_exclusive = "oneOf" in (first, second) and not are_told_apart
        if is_exclusive and (first != second or not self._same_list(before, after)):
            self._whole("schema-changed", pair)
            return
        left = list(enumerate(after))
        gone: list[tuple[int, JsonValue]] = []
        for index, branch in enumerate(before):
            match = next(
                (each for each in left if self._old.same(branch, self._new, each[1])), None
            ) or next(
                (each for each in left if keys_old[index] and keys_new[each[0]] == keys_old[index]),
                None,
            )
            if match is None:
                gone.append((index, branch))
                continue
            left.remove(match)
            self._descend(pair, first, (index, branch), match)
        if len(gone) == len(left) == 1 and not are_told_apart:
            self._descend(pair, first, gone[0], left[0])
            return
        for index, branch in gone:
            sent = self._flow is Flow.ARGUMENT
            proof = self._branch_proof(pair, branch, self._old) if sent else SAFE
            path = (*pair.old.at(first), index)
            title = _title(branch, keys_old[index])
            self._add_at((path, None), "branch-removed", pair, proof, branch=title)
        for index, branch in left:
            sent = self._flow is Flow.RESULT
            proof = self._branch_proof(pair, branch, self._new) if sent else SAFE
            path = (*pair.new.at(second), index)
            title = _title(branch, keys_new[index])
            self._add_at((None, path), "branch-added", pair, proof, branch=title)

    def _same_list(self, old: list[JsonValue], new: list[JsonValue]) -> bool:
        return len(old) == len(new) and all(
            self._old.same(one, self._new, other) for one, other in zip(old, new, strict=True)
        )

    def _tag(self, root: Root, branch: JsonValue) -> tuple[tuple[str, object], ...]:
        """Return what tells a branch from others: its type, or required members with one value."""
        node = root.node(branch, ())
        members = as_object(node.keywords.get("properties"))
        required = _names(node.keywords.get("required"))
        tags: list[tuple[str, object]] = []
        for name in sorted(required & members.keys()):
            values = root.node(members[name], ()).keywords.get("enum")
            if isinstance(values, list) and len(values) == 1:
                tags.append((name, identity(values[0])))
        if tags:
            return tuple(tags)
        if "type" not in node.keywords or len(node.types) != 1:
            return ()
        (name,) = node.types
        return (("", "number" if name == "integer" else name),)

    def _are_apart(self, root: Root, node: Node, branches: list[JsonValue]) -> bool:
        """Return whether tags or types show that no value is valid for two branches.

        Tags show it for objects only: any other value, and null, may be valid for several branches.
        """
        nodes = [root.node(branch, ()) for branch in branches]
        keys = [self._tag(root, branch) for branch in branches]
        are_objects = node.types == {"object"} or all(
            branch.types == {"object"}
            for branch, key in zip(nodes, keys, strict=True)
            if _is_tag(key)
        )
        of_null = [each for each in nodes if each.is_nullable or each.types == {"null"}]
        return are_objects and len(of_null) <= 1 and _distinct(keys)

    def _branch_proof(self, pair: Pair, branch: JsonValue, root: Root) -> Proof:
        """Return whether the values of one branch are valid for the whole receiver."""
        receiver_root, receiver = (
            (self._new, pair.new) if self._flow is Flow.ARGUMENT else (self._old, pair.old)
        )
        whole = receiver_root.standalone(receiver.keywords)
        return self._asked(pair, root.standalone(branch), whole)

    def _descend(
        self, pair: Pair, keyword: str, old: tuple[int, JsonValue], new: tuple[int, JsonValue]
    ) -> None:
        sender = self._ordered((self._old, old[1]), (self._new, new[1]))[0]
        sides = pair.old.keywords.keys() | pair.new.keywords.keys()
        around = pair.around
        if around is not None or keyword == "allOf" or "properties" in sides:
            words = self._ordered(pair.old, pair.new)[0].keywords
            if keyword != "allOf":  # the value is of one of its branches
                words = {key: item for key, item in words.items() if key not in ("anyOf", "oneOf")}
            around = _members(sender[0], words, around)

        def lift(value: JsonValue) -> JsonValue:
            if isinstance(value, dict):
                value = {**_minimal_object(sender[0], sender[1]), **value}
            return pair.lift(value)

        self._enter(
            old[1],
            new[1],
            (*pair.old.at(keyword), old[0]),
            (*pair.new.at(keyword), new[0]),
            pair.at,
            lift,
            around=around,
        )

    # Proofs

    def _only(self, pair: Pair, *keywords: str) -> Proof:
        """Return whether the sender's values satisfy these keywords of the receiver."""
        old, new = (
            (self._old, asserted(pair.old.keywords)),
            (self._new, asserted(pair.new.keywords)),
        )
        (sends, sent), (receives, received) = self._ordered(old, new)
        wanted = {key: item for key, item in received.items() if key in keywords}
        if _OF_MEMBERS.isdisjoint(keywords):
            # A part of what the sender says is enough for a proof, and a witness is checked whole.
            own = {key: item for key, item in sent.items() if key not in _HEAVY or key in keywords}
        else:
            own = self._promised(pair, sent)
        return self._asked(pair, sends.standalone(own), receives.standalone(wanted))

    def _asked(self, pair: Pair, sender: JsonValue, receiver: JsonValue) -> Proof:
        """Return the proof of two schemas with their definitions; None for one that needs more."""
        if sender is None or receiver is None:
            return Proof(Verdict.NOT_PROVED, reason="`$ref`")
        if self._flow is Flow.RESULT and not self._is_strict:
            receiver = _opened(receiver)
        return self._decided(pair, sender, receiver)

    def _whole(self, slug: str, pair: Pair) -> None:
        """Report a difference of whole subschemas."""
        self._add(slug, pair, self._whole_proof(pair))

    def _whole_proof(self, pair: Pair) -> Proof:
        """Return whether the sender's values are valid for the receiver."""
        old, new = (
            (self._old, asserted(pair.old.keywords)),
            (self._new, asserted(pair.new.keywords)),
        )
        (sends, sent), (receives, received) = self._ordered(old, new)
        own = self._promised(pair, sent)
        return self._asked(pair, sends.standalone(own), receives.standalone(received))

    def _promised(self, pair: Pair, sent: JsonObject) -> JsonObject:
        """Return the sender's keywords, closed where they say nothing about other members."""
        node = self._ordered(pair.old, pair.new)[0]
        return _closed(sent) if _is_read_as_closed(pair, node) else sent

    def _decided(self, pair: Pair, sender: JsonValue, receiver: JsonValue) -> Proof:
        proof, witnesses = self._prover.decide(sender, receiver, formats=self._formats)
        return self._relift(pair, witnesses) if witnesses else proof

    def _witnessed(self, pair: Pair, value: JsonValue) -> Proof:
        return self._relift(pair, (canonical_json(value),))

    def _relift(self, pair: Pair, witnesses: Sequence[str]) -> Proof:
        """Return a proof with a value of the whole schema, checked by the validators of both."""
        try:
            accepts, receives = self._validators
        except InvalidSchemaError:
            return Proof(Verdict.NOT_PROVED, reason="an invalid schema")
        for witness in witnesses:
            try:
                for value in self._completed(pair, json.loads(witness)):
                    whole = pair.lift(value)
                    if accepts(whole) and not receives(whole):
                        return Proof(Verdict.BREAKING, json.dumps(whole, ensure_ascii=False))
            except (NoSampleError, InvalidSchemaError, ValueError, RecursionError):
                continue
        return Proof(Verdict.NOT_PROVED, reason="no value of the whole schema was found")

    def _completed(self, pair: Pair, value: JsonValue) -> Iterator[JsonValue]:
        """Yield values of the sender's subschema like one of which a proof left some members open."""
        root, node = self._ordered((self._old, pair.old), (self._new, pair.new))[0]
        members = as_object(node.keywords.get("properties"))
        if isinstance(value, dict) and members:
            value = {
                name: item
                if self._fits(root, members.get(name, True), item)
                else _sample(root, members[name])
                for name, item in value.items()
            }
        yield value
        if isinstance(value, dict):
            yield {**_minimal_object(root, node.keywords), **value}
        if isinstance(value, list) and "items" in node.keywords:
            item = _sample(root, node.keywords["items"])
            yield [item] * len(value)

    def _fits(self, root: Root, schema: JsonValue, value: JsonValue) -> bool:
        alone = root.standalone(schema)
        if alone is None or schema is True:
            return True
        return compiled(alone, formats=self._formats)(value)

    def _member_lift(self, pair: Pair, name: str) -> Callable[[JsonValue], JsonValue]:
        root, node = self._ordered((self._old, pair.old), (self._new, pair.new))[0]

        members = {**as_object(node.keywords.get("properties")), name: True}
        around = {**node.keywords, "properties": members}

        def lift(value: JsonValue) -> JsonValue:
            return pair.lift({**_minimal_object(root, around), name: value})

        return lift

    def _unliftable(self, value: JsonValue) -> JsonValue:
        raise NoSampleError(str(value))

    # Helpers

    def _ordered(self, old: Any, new: Any) -> tuple[Any, Any]:
        """Return what belongs to the sender, then what belongs to the receiver."""
        return (old, new) if self._flow is Flow.ARGUMENT else (new, old)

    def _enter(  # noqa: PLR0913, PLR0917 - two sides of a pair
        self,
        old: JsonValue,
        new: JsonValue,
        old_path: Path,
        new_path: Path,
        at: str,
        lift: Callable[[JsonValue], JsonValue],
        *,
        around: Members | None = None,
    ) -> None:
        self._waiting.append((old, new, old_path, new_path, at, lift, around))

    def _add(
        self, slug: str, pair: Pair, proof: Proof | None, steps: Path = (), **values: JsonValue
    ) -> None:
        """Report a difference of a keyword that both sides can have."""
        old, new = pair.old, pair.new
        paths = old.place, new.place
        if steps:
            keyword, *rest = steps
            paths = (*old.at(str(keyword)), *rest), (*new.at(str(keyword)), *rest)
        self._add_at(paths, slug, pair, proof, **values)

    def _add_at(
        self,
        paths: tuple[Path | None, Path | None],
        slug: str,
        pair: Pair,
        proof: Proof | None,
        **values: JsonValue,
    ) -> None:
        at = f"`{pair.at}`" if pair.at else _TOP[self._flow]
        self._edits.append(Edit(slug, *paths, {"at": at, **values}, proof))


def _members(root: Root, keywords: JsonObject, around: Members | None) -> Members:
    """Return the members that a schema, others for the same value below it, and those around it declare.

    The names in a schema that applies under a condition count, but it makes no object a declaring one.
    """
    names, is_declaring, has_others = around or (frozenset[str](), False, False)
    waiting: list[tuple[JsonValue, bool]] = [(keywords, False)]
    seen: set[tuple[int, bool]] = set()
    while waiting:
        schema, is_conditional = waiting.pop()
        if not isinstance(schema, dict) or (id(schema), is_conditional) in seen:
            continue
        seen.add((id(schema), is_conditional))
        is_declaring |= "properties" in schema and not is_conditional
        has_others |= schema.get("additionalProperties", False) is not False
        names |= as_object(schema.get("properties")).keys() | _names(schema.get("required"))
        waiting.append((root.references.of(schema), is_conditional))
        for word in _COMPOSED - {"$ref", "not"}:
            part = schema.get(word)
            parts = part if isinstance(part, list) else [part]
            if word == "dependentSchemas" and isinstance(part, dict):
                parts = [*part.values()]
            waiting += ((each, is_conditional or word in _CONDITIONS) for each in parts)
    return Members(names, is_declaring, has_others)


def _is_read_as_closed(pair: Pair, node: Node) -> bool:
    """Return whether all members that were promised are those that an object declares."""
    words = node.keywords
    return not pair.is_part and "properties" in words and "additionalProperties" not in words


def _together(keyword: str) -> tuple[str, ...]:
    """Return a keyword with those without which it has no meaning, or another one."""
    return next((group for group in KEYWORD_GROUPS if keyword in group), (keyword,))


def _constant(keywords: JsonObject) -> str:
    return "false" if keywords == {"not": {}} else ""


def _has_union(keywords: JsonObject) -> bool:
    return "anyOf" in keywords or "oneOf" in keywords


def _widened(types: frozenset[str]) -> frozenset[str]:
    return types | {"integer"} if "number" in types else types


def _named(types: frozenset[str]) -> str:
    return " or ".join(sorted(types)) if len(types) < 6 else "any type"  # noqa: PLR2004 - all of them


def _title(branch: JsonValue, tag: tuple[tuple[str, object], ...]) -> str:
    if isinstance(branch, dict) and isinstance(branch.get("title"), str):
        return str(branch["title"])
    if isinstance(branch, dict) and isinstance(branch.get("$ref"), str):
        return str(branch["$ref"]).rpartition("/")[2]
    if tag and tag[0][0]:
        return f"{tag[0][0]}: {tag[0][1]}"
    return shown(branch)


def _is_tag(key: tuple[tuple[str, object], ...]) -> bool:
    return bool(key) and key[0][0] != ""


def _distinct(keys: list[tuple[tuple[str, object], ...]]) -> bool:
    """Return whether one of the tags of some branches, or their types, differs for all."""
    if not all(keys):
        return False
    shared = set.intersection(*({name for name, _ in key} for key in keys))
    return any(len({dict(key)[name] for key in keys}) == len(keys) for name in shared)


def _closed(schema: JsonObject) -> JsonObject:
    """Return an object schema that takes no members but those that it declares or requires."""
    required: JsonObject = dict.fromkeys(sorted(_names(schema.get("required"))), True)
    members = {**required, **as_object(schema.get("properties"))}
    return {**schema, "properties": members, "additionalProperties": False}


def _closed_deeply(schema: JsonValue) -> JsonValue:
    """Return a schema whose plain objects take no undeclared member, at every depth.

    A part of a composed object stays open, since the other parts may declare more; so do all
    definitions if one of them is such a part.
    """
    return _closed_below(schema, is_part=False, are_definitions_open=_refers_to_part(schema))


def _closed_below(schema: JsonValue, *, is_part: bool, are_definitions_open: bool) -> JsonValue:
    def below(item: JsonValue, key: str) -> JsonValue:
        return _closed_below(
            item, is_part=_is_part(parent, key, is_part), are_definitions_open=are_definitions_open
        )

    parent = schema if isinstance(schema, dict) else {}
    if not parent:
        return schema
    closed: JsonObject = {}
    for key, item in parent.items():
        if key in _VALUES or (key in _DEFINITIONS and are_definitions_open):
            closed[key] = item
        elif key in _NAMED and isinstance(item, dict):
            closed[key] = {name: below(each, key) for name, each in item.items()}
        elif isinstance(item, list):
            closed[key] = [below(each, key) for each in item]
        else:
            closed[key] = below(item, key)
    is_silent = "properties" in parent and _STATED.isdisjoint(parent) and not is_part
    return _closed(closed) if parent.get("type") == "object" and is_silent else closed


def _refers_to_part(schema: JsonValue, *, is_part: bool = False) -> bool:
    """Return whether a reference applies to a value together with other schemas."""
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema and _is_part(schema, "$ref", is_part):
        return True
    return any(
        _refers_to_part(each, is_part=_is_part(schema, key, is_part))
        for key, item in schema.items()
        if key not in _VALUES
        for each in (
            item
            if isinstance(item, list)
            else item.values()
            if key in _NAMED and isinstance(item, dict)
            else [item]
        )
    )


def _is_part(schema: JsonObject, keyword: str, is_part: bool) -> bool:
    """Return whether the subschemas of a keyword apply to a value together with others."""
    if keyword not in _COMPOSED:
        return False
    is_alone = keyword in {"anyOf", "oneOf", "$ref"} or len(as_list(schema[keyword])) == 1
    others = (_COMPOSED | {"properties", "patternProperties", "required"}) - {keyword}
    return is_part or not is_alone or not others.isdisjoint(schema)


def _opened(schema: JsonValue) -> JsonValue:
    """Return a schema that takes undeclared members at every depth."""
    if isinstance(schema, list):
        return [_opened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: item if key in ("enum", "const", "default", "examples") else _opened(item)
        for key, item in schema.items()
        if not (key in ("additionalProperties", "unevaluatedProperties") and item is False)
    }


def _hoisted(shape: JsonObject) -> JsonObject:
    """Return a schema whose members' definitions are its own, as their references expect."""
    held: JsonObject = {}
    members = dict(as_object(shape.get("properties")))
    for name, member in members.items():
        if isinstance(member, dict):
            for key in ("$defs", "definitions"):
                if key in member:
                    held[key] = member[key]
            members[name] = {key: item for key, item in member.items() if key not in held}
    rest = shape.get("additionalProperties")
    if isinstance(rest, dict):
        held |= {key: rest[key] for key in ("$defs", "definitions") if key in rest}
        shape = {**shape, "additionalProperties": {k: v for k, v in rest.items() if k not in held}}
    return {**shape, "properties": members, **held}


def _minimal_object(root: Root, schema: JsonValue) -> JsonObject:
    made = _sample(root, schema)
    return made if isinstance(made, dict) else {}


def _sample(root: Root, schema: JsonValue) -> JsonValue:
    alone = root.standalone(schema)
    if alone is None:
        raise NoSampleError(str(schema))
    return minimal(alone)


def _joined(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name


def _less(first: JsonValue, second: JsonValue) -> bool:
    return isinstance(first, (int, float)) and isinstance(second, (int, float)) and first < second


def _number(value: JsonValue) -> float:
    return value if isinstance(value, (int, float)) else 0


def _names(value: JsonValue) -> frozenset[str]:
    return frozenset(map(str, as_list(value)))
