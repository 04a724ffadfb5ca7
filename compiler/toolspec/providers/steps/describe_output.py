"""Describe the result in the tool's description, for providers without a field for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.sentences import compact
from toolspec.shared.records import dataclass, replace
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options
    from toolspec.syntax.nodes import JsonObject, JsonValue

NAME = "describe-output"
_DEEPEST = 4
_LONGEST = 300
_LONGEST_ENUM = 60
# Arrays and unions inside one another, without an object between them.
_MAX_NESTED = 16
_SAYS_NOTHING = frozenset({"", "any", "object"})


def describe_output(draft: Draft, _: Options) -> Draft:
    """Return the draft with a line on the output: `Returns: {ids: string[], next?: string}`.

    Objects are written out as deep as 300 characters allow, at most four levels; deeper ones are
    written as the name of their definition. An output that may be anything, or does not fit, is not
    described.
    """
    best = ""
    for depth in range(_DEEPEST + 1):
        text = outline(draft.tool.output.bundle, depth)
        if len(text) > _LONGEST or text == best:  # nothing was cut, so nothing is added below
            break
        best = text
    if best in _SAYS_NOTHING:
        return draft
    entry = Entry("", "description", Outcome.KEPT, NAME, "a line on the result is added")
    text = f"{draft.description}\n\nReturns: {best}."
    return replace(draft, description=text, entries=(*draft.entries, entry))


def outline(bundle: JsonValue, depth: int) -> str:
    """Return an outline of a schema's values on one line, objects expanded `depth` levels deep."""
    return _Outline(bundle).of(bundle, _Level(depth), name="object")


@dataclass(frozen=True, slots=True)
class _Level:
    """Remaining depth of an outline, and the definitions that enclose it."""

    objects: int
    nested: int = _MAX_NESTED
    inside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Outline:
    bundle: JsonValue

    def of(self, schema: JsonValue, level: _Level, *, name: str = "") -> str:
        """Return a schema's outline; `name` replaces an object that is not expanded."""
        is_root = bool(name)
        while isinstance(schema, dict) and isinstance(reference := schema.get("$ref"), str):
            defined = reference.rpartition("/")[2]
            if not is_root:
                name = "".join(parse_fragment(f"/{defined}")) or "object"
            if reference in level.inside:
                return name
            level = replace(level, inside=level.inside | {reference})
            schema = self._target(reference)
        if not isinstance(schema, dict) or not level.nested:
            return "any"
        return self._inline(schema, level, name or "object")

    def _target(self, reference: str) -> JsonValue:
        try:
            return value_at(self.bundle, parse_fragment(reference.removeprefix("#")))
        except (LookupError, ValueError):
            return None

    def _inline(self, schema: JsonObject, level: _Level, name: str) -> str:
        inner = replace(level, nested=level.nested - 1)
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(values, list):
            text = " | ".join(map(compact, values))
            if len(text) <= _LONGEST_ENUM:
                return text
        for word in ("oneOf", "anyOf"):
            branches = schema.get(word)
            if isinstance(branches, list) and "properties" not in schema:
                return " | ".join(dict.fromkeys(self.of(branch, inner) for branch in branches))
        stated = schema.get("type")
        if stated == "array":
            return _list_of(self.of(schema.get("items"), inner))
        properties, required = self._members(schema, level.inside)
        if properties and stated in (None, "object"):
            return self._object(properties, required, inner, name)
        names = stated if isinstance(stated, list) else [stated]
        return (
            " | ".join(
                name if type_name == "object" else str(type_name)
                for type_name in names
                if type_name
            )
            or "any"
        )

    def _members(
        self, schema: JsonObject, inside: frozenset[str]
    ) -> tuple[JsonObject, frozenset[str]]:
        """Return the properties of an object and of its `allOf`, and the required names."""
        properties: JsonObject = {}
        required: set[str] = set()
        waiting: list[JsonValue] = [schema]
        met = set(inside)
        for part in waiting:
            if not isinstance(part, dict):
                continue
            match part.get("properties"):
                case dict(own):
                    properties = own | properties
            match part.get("required"):
                case list(names):
                    required |= {name for name in names if isinstance(name, str)}
            match part.get("allOf"):
                case list(parts):
                    waiting += parts
            reference = part.get("$ref")
            if isinstance(reference, str) and reference not in met:
                met.add(reference)
                waiting.append(self._target(reference))
        return properties, frozenset(required)

    def _object(
        self, properties: JsonObject, required: frozenset[str], level: _Level, name: str
    ) -> str:
        if not level.objects:
            return name
        inner = replace(level, objects=level.objects - 1, nested=_MAX_NESTED)
        members = (
            f"{key}{'' if key in required else '?'}: {self.of(member, inner)}"
            for key, member in properties.items()
        )
        return f"{{{', '.join(members)}}}"


def _list_of(item: str) -> str:
    is_simple = " | " not in item or (item.startswith("{") and item.endswith("}"))
    return f"{item}[]" if is_simple else f"({item})[]"
