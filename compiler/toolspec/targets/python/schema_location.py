"""Schema locations seen through `$ref` and `allOf`, which the typer walks over."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass, field
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.ir import Schema
    from toolspec.syntax.nodes import JsonObject, JsonValue

Key: TypeAlias = "tuple[str, tuple[str, ...], bool]"

# Keywords that a type can express. Others narrow the values and go into the documentation.
SHAPING = frozenset(
    {
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "items",
        "prefixItems",
        "anyOf",
        "oneOf",
    }
)
# Keywords through which the runtime fills in defaults (`runtime/defaults.py`); it does not know
# which option of a choice applies.
FILLED = ("properties", "items", "prefixItems", "additionalProperties", "allOf")
_DEFINITION = "#/$defs/"


@dataclass(frozen=True, slots=True)
class Root:
    """A schema that references start from; `shared` maps its `$defs` names to other roots."""

    key: str
    value: JsonValue = field(repr=False, compare=False)
    shared: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, key: str, schema: Schema) -> Root:
        """Return the root of a schema."""
        return cls(key, schema.bundle, dict(schema.shared))


@dataclass(frozen=True, slots=True)
class SchemaLocation:
    """A schema inside a root; `without` are keywords that are already processed.

    `filled` means that defaults have been filled into the value. `members` are the remaining
    keywords, none for a boolean schema.
    """

    root: Root
    path: tuple[str, ...]
    node: JsonValue = field(repr=False, compare=False)
    without: frozenset[str] = frozenset()
    filled: bool = False
    members: JsonObject = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _members(self.node, self.without))

    @property
    def key(self) -> Key:
        """Identity of a location, including whether its defaults are filled in."""
        return self.root.key, self.path, self.filled

    @property
    def shapes(self) -> bool:
        """Whether a type can express any of its keywords, besides `$ref` and `allOf`."""
        return self.node is False or not SHAPING.isdisjoint(self.members)

    def below(self, *steps: str) -> SchemaLocation:
        """Return the site further down; raises LookupError or ValueError for an invalid path."""
        node = self.node
        for step in steps:
            match node:
                case list():
                    node = node[int(step)]
                case dict():
                    node = node[step]
                case _:
                    raise LookupError(step)
        filled = self.filled and steps[0] in FILLED
        return SchemaLocation(self.root, (*self.path, *steps), node, filled=filled)

    def named(self, keyword: str) -> JsonObject:
        """Return the schemas of an object such as `properties`, by name."""
        schemas = self.members.get(keyword)
        return schemas if isinstance(schemas, dict) else {}

    def listed(self, keyword: str) -> tuple[SchemaLocation, ...]:
        """Return the schemas of a list such as `anyOf`."""
        schemas = self.members.get(keyword)
        if not isinstance(schemas, list):
            return ()
        return tuple(self.below(keyword, str(number)) for number in range(len(schemas)))


def _members(node: JsonValue, without: frozenset[str]) -> JsonObject:
    if not isinstance(node, dict):
        return {}
    if not without:
        return node
    return {name: value for name, value in node.items() if name not in without}


class Locations:
    """Resolver of references between the roots of a service."""

    def __init__(self, shared: Mapping[str, Root]) -> None:
        self._shared = shared

    def target(self, site: SchemaLocation) -> SchemaLocation | None:
        """Return the target of a site's `$ref`; None where it does not resolve."""
        reference = site.members.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        try:
            steps = parse_fragment(reference[1:])
        except ValueError:
            return None
        root = site.root
        while len(steps) > 1 and steps[0] == "$defs":
            definition = self._shared.get(root.shared.get(steps[1], ""))
            if definition is None:
                break
            root, steps = definition, steps[2:]
        try:
            found = (
                SchemaLocation(root, (), root.value).below(*steps)
                if steps
                else SchemaLocation(root, (), root.value)
            )
        except (LookupError, ValueError):
            return None
        if site.filled and _is_followed(reference):
            return SchemaLocation(found.root, found.path, found.node, filled=True)
        return found

    def parts(self, site: SchemaLocation) -> tuple[SchemaLocation, ...]:
        """Return the sites that a site combines, references not yet followed.

        A site with only a `$ref`, or an `allOf` of one member, is replaced by that member.
        """
        return tuple(self._parts(site))

    def _parts(self, site: SchemaLocation) -> Iterator[SchemaLocation]:
        own = frozenset({"$ref", "allOf"})
        if not own.isdisjoint(site.members):
            rest = SchemaLocation(site.root, site.path, site.node, site.without | own, site.filled)
            if rest.shapes:
                yield rest
            if "$ref" in site.members:
                reference: JsonObject = {"$ref": site.members["$ref"]}
                yield SchemaLocation(site.root, site.path, reference, filled=site.filled)
            for member in site.listed("allOf"):
                yield from self._parts(member)
        elif site.shapes:
            yield site

    def layers(self, parts: tuple[SchemaLocation, ...]) -> tuple[SchemaLocation, ...]:
        """Return the sites with every reference followed, each location once."""
        seen: set[tuple[Key, frozenset[str], bool]] = set()
        found: list[SchemaLocation] = []
        pending = list(reversed(parts))
        while pending:
            part = pending.pop()
            target = self.target(part) if "$ref" in part.members else None
            mark = ((target or part).key, part.without, target is not None)
            if mark in seen:
                continue
            seen.add(mark)
            if target is None:
                found.append(part)
            else:
                pending.extend(reversed(self.parts(target)))
        return tuple(found)


def _is_followed(reference: str) -> bool:
    """Return whether defaults follow a reference: to a definition, or to the whole schema."""
    name = reference.removeprefix(_DEFINITION)
    return reference == "#" or not (name == reference or "/" in name or "%" in name)


def is_reference(site: SchemaLocation) -> bool:
    """Return whether a site consists of a `$ref` alone."""
    return "$ref" in site.members and not site.shapes
