"""Finds unsatisfiable schemas and the innermost cause, with a quick test before a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.containment import Verdict
from toolspec.schema.contradictions import types_of
from toolspec.schema.diagnostics import diagnostic_at, listed
from toolspec.shared.keywords import ANNOTATIONS, APPLICATORS, VALUES
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle, Key, LinkedSchema
    from toolspec.schema.containment import BundleProofs, Prover
    from toolspec.schema.instances import InstanceValidator
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# Each of these alone is satisfiable with any value, if `contradictions` reported nothing.
_SCALAR = (
    ANNOTATIONS | {"type", "enum"},
    ANNOTATIONS | {"type", "const"},
    ANNOTATIONS | {"type", "minimum", "maximum"},
    ANNOTATIONS | {"type", "minLength", "maxLength"},
    ANNOTATIONS | {"type", "pattern"},
    ANNOTATIONS | {"type", "items", "maxItems", "uniqueItems"},
)
# Maximum subschemas to search: a chain of references can be longer than Python's stack.
_MAX_SEARCHED = 200
_OBJECT = ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}


_CHOICE = ANNOTATIONS | {"type", "anyOf", "oneOf", "discriminator"}


class QuickSatisfiability:
    """Searches for a value of a schema: scalars, objects with required members, and choices.

    `sound` are the schemas already known to be satisfiable.
    """

    def __init__(self, linked: LinkedSchema, sound: Container[Key]) -> None:
        self._root = linked.resource.value
        self._inner = dict(linked.resource.inner)
        # Only a reference to the whole of another schema makes the two equally satisfiable.
        self._sound = {link.holder for link in linked.links if link.to in sound and not link.path}
        # False during the search: a cycle of references proves nothing.
        self._results: dict[Path, bool] = {}

    def is_satisfiable(self) -> bool:
        """Return whether the schema obviously has a valid value; False proves nothing."""
        return self._check(self._root, ())

    def _check(self, node: JsonValue, path: Path) -> bool:
        if isinstance(node, bool):
            return node
        if not isinstance(node, dict):
            return False
        if path not in self._results:
            self._results[path] = False
            self._results[path] = self._search(node, path)
        return self._results[path]

    def _search(self, node: JsonObject, path: Path) -> bool:
        words = node.keys()
        if "$ref" in words:
            return words <= ANNOTATIONS | {"$ref"} and self._has_target(path)
        if any(words <= allowed for allowed in _SCALAR):
            return "maximum" not in words or "minimum" not in words or _has_whole_bounds(node)
        if words <= _CHOICE and ("anyOf" in words) != ("oneOf" in words):
            return self._has_branch(node, path)
        return words <= _OBJECT and self._has_all_required(node, path)

    def _has_target(self, path: Path) -> bool:
        if path in self._sound:
            return True
        target = self._inner.get(path)
        return (
            target is not None
            and len(self._results) < _MAX_SEARCHED
            and self._check(value_at(self._root, target), target)
        )

    def _has_branch(self, node: JsonObject, path: Path) -> bool:
        """Return whether a branch has a value of the sibling type and, in `oneOf`, only one."""
        keyword = "anyOf" if "anyOf" in node else "oneOf"
        branches = node[keyword]
        if not isinstance(branches, list):
            return False
        resolved = [
            self._resolved(branch, (*path, keyword, index)) for index, branch in enumerate(branches)
        ]
        if "type" in node and not all(branch.get("type") == node["type"] for branch, _ in resolved):
            return False
        is_disjoint = (
            keyword == "anyOf"
            or len(resolved) == 1
            or _are_disjoint([branch for branch, _ in resolved])
        )
        return is_disjoint and any(self._check(*branch) for branch in resolved)

    def _resolved(self, node: JsonValue, path: Path) -> tuple[JsonObject, Path]:
        """Return a branch, or the target of its reference inside this schema."""
        target = self._inner.get(path)
        if target is not None and isinstance(node, dict) and node.keys() <= {"$ref"}:
            node, path = value_at(self._root, target), target
        return node if isinstance(node, dict) else {}, path

    def _has_all_required(self, node: JsonObject, path: Path) -> bool:
        required, properties = node.get("required", []), node.get("properties", {})
        if not isinstance(required, list) or not isinstance(properties, dict):
            return False
        is_open = node.get("additionalProperties", True) is True
        for name in map(str, required):
            if name in properties:
                if not self._check(properties[name], (*path, "properties", name)):
                    return False
            elif not is_open:
                return False
        return True


def _are_disjoint(branches: list[JsonObject]) -> bool:
    """Return whether no value satisfies two of the schemas, by types or by a required tag."""
    types = [branch.get("type") for branch in branches]
    words = [type_ for type_ in types if isinstance(type_, str)]
    if len(words) == len(branches) == len(set(words)) and not {"integer", "number"} <= set(words):
        return True
    constants = [_constants(branch) for branch in branches]
    names = set.intersection(*(set(constant) for constant in constants))
    return any(len({constant[name] for constant in constants}) == len(constants) for name in names)


def _constants(node: JsonObject) -> dict[str, str]:
    """Return the required properties of an object with one constant string, and the string."""
    properties, required = node.get("properties"), node.get("required")
    if node.get("type") != "object" or not isinstance(properties, dict):
        return {}
    constants: dict[str, str] = {}
    for name in required if isinstance(required, list) else ():
        property_ = properties.get(str(name))
        if isinstance(property_, dict) and isinstance(property_.get("const"), str):
            constants[str(name)] = str(property_["const"])
        elif isinstance(property_, dict) and isinstance(property_.get("enum"), list):
            match property_["enum"]:
                case [str(only)]:
                    constants[str(name)] = only
    return constants


def _has_whole_bounds(node: JsonObject) -> bool:
    """Return whether bounds are whole numbers: there may be no integer between others."""
    return isinstance(node["minimum"], int) and isinstance(node["maximum"], int)


def check(prover: Prover, validator: InstanceValidator, bundle: Bundle) -> Iterator[Diagnostic]:
    """Yield a diagnostic if no value satisfies a bundle, at the innermost cause.

    Without a proof the bundle is valid. If it is too complex for a proof, its subschemas are tried.
    """
    proofs = prover.proofs_of(bundle, validator)
    if proofs is None:
        return
    queue: dict[Path, None] = {(): None}
    for path in _growing(queue):
        match proofs.verdict(path):
            case Verdict.UNSATISFIABLE:
                yield _culprit(proofs, path, bundle)
                return
            case Verdict.TOO_COMPLEX:
                queue |= dict.fromkeys(_required_subschemas(path, proofs.nodes, proofs.targets))
            case Verdict.EXPIRED:
                yield diagnostic_at(kinds.NOT_PROVED, bundle.locations(path))
            case Verdict.UNAVAILABLE:
                yield kinds.NO_PROOFS.at(None)


def _growing(queue: dict[Path, None]) -> Iterator[Path]:
    """Yield keys in order, including those added meanwhile."""
    done = 0
    while done < len(queue):
        for path in list(queue)[done:]:
            done += 1
            yield path


def _culprit(proofs: BundleProofs, path: Path, bundle: Bundle) -> Diagnostic:
    """Return the diagnostic of an unsatisfiable schema, at the innermost cause."""
    visited = [path]
    while True:
        required = _required_subschemas(path, proofs.nodes, proofs.targets)
        inner = next(
            (other for other in required if proofs.verdict(other) is Verdict.UNSATISFIABLE), None
        )
        if inner is None or inner in visited:
            break
        visited.append(inner)
        path = inner
    keyword, reason = _reason(proofs.nodes.get(path, False), is_endless=inner is not None)
    return diagnostic_at(
        kinds.UNSATISFIABLE,
        bundle.locations((*path, *keyword)),
        on_key=bool(keyword),
        reason=reason,
        suggestion="relax one of the keywords that contradict each other",
    )


def _required_subschemas(
    path: Path, nodes: Mapping[Path, JsonObject | bool], targets: Mapping[Path, Path]
) -> Iterator[Path]:
    """Yield the subschemas that a schema needs to be satisfiable."""
    node = nodes.get(path)
    if not isinstance(node, dict):
        return
    if path in targets:
        yield targets[path]
    types, required, all_of = types_of(node), node.get("required"), node.get("allOf")
    if types == {"object"} and isinstance(required, list):
        properties = ((*path, "properties", str(name)) for name in required)
        yield from (property_path for property_path in properties if property_path in nodes)
    if isinstance(all_of, list):
        yield from ((*path, "allOf", index) for index in range(len(all_of)))
    if types == {"array"} and _is_positive(node.get("minItems")):
        first = (*path, "prefixItems", 0)
        yield first if first in nodes else (*path, "items")


def _reason(node: JsonObject | bool, *, is_endless: bool) -> tuple[Path, str]:
    """Return the keyword that causes an unsatisfiable schema, and why."""
    if is_endless:
        return (), "each value would have to contain another value of the same schema, without end"
    if not isinstance(node, dict):
        return (), "`false` rejects every value"
    keywords = [keyword for keyword in node if keyword in VALUES and keyword not in ANNOTATIONS]
    if len(keywords) == 1:
        return (keywords[0],), f"`{keywords[0]}` rejects every value"
    applicators = [keyword for keyword in keywords if keyword in APPLICATORS]
    location: Path = (applicators[0],) if len(applicators) == 1 else ()
    return location, f"together {listed(keywords).replace(' or ', ' and ')} reject every value"


def _is_positive(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
