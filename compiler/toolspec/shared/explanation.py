"""Explanations of values that a validator rejects: paths and messages, in bounded work.

A validator decides whether a value is valid; this module explains a rejection. It reads schema and
value itself, because the validator's own explanation has unbounded cost, confuses the key "01" with
the index 1, and lists every branch of a union.
"""

from __future__ import annotations

from functools import cached_property

from toolspec.shared.discriminator import MAX_DEPTH, Discriminators
from toolspec.shared.json_values import (
    are_equal,
    count_members,
    has_type,
    identity,
    path_text,
    shown,
)
from toolspec.shared.references import References
from toolspec.shared.secret_locations import SecretLocations, declares_secret
from toolspec.shared.spelling import nearest, suggestion
from toolspec.shared.validator import compiled, is_too_expensive

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeGuard

    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue, Path
    from toolspec.shared.secret_locations import Applied


PATTERN_LIMIT = "patternLimit"
"""The keyword of an error about a pattern, not the value: the regex engine hit its limit."""

MAX_ERRORS = 100
MAX_STEPS = 20_000
"""Maximum number of subschemas evaluated for one explanation: about 50 ms."""

MASK = "the value"
"""The placeholder for values in masked messages."""

_MAX_MESSAGE = 300
_MAX_UNKNOWN = 20
"""Maximum number of unknown members reported by name; one more error counts the rest."""
_MAX_HINTS = 5
"""Maximum number of unknown members with a suggestion."""
_MAX_KNOWN = 1_000
"""Maximum number of known names compared with an unknown one."""
_MAX_OPTIONS = 12
"""Maximum number of values listed in a message."""
_BRANCH_ERRORS = 20
"""Maximum number of errors per branch of a union, to compare branches."""
_LARGE = 1_000
"""Number of members above which a value is searched with the validator's help."""
_CHUNK = 128
_PATTERN_LIMIT_STEPS = 10_000
"""Steps counted for hitting the regex engine's limit, which takes a tenth of a second."""
_ATTEMPT_STEPS = 3
"""Steps counted for trying a subschema, besides those of the subschema."""
_MEMBERS_A_STEP = 32
"""Members that the validator probes in the time of a step."""
_CHARACTERS_A_STEP = 400
"""Characters that the validator matches in the time of a step."""
_MAX_NESTED_PROBES = 4
_MAX_PROBES = 16

_COMBINING = ("allOf", "anyOf", "oneOf")
_ENGINE_KEYWORDS = ("pattern", "format", "contentEncoding", "contentMediaType")
_ARTICLES = {
    "array": "a list",
    "boolean": "a boolean",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


class InstanceError:
    """A violation of one schema keyword by a part of a value.

    `path` locates the part from the root of the value. `member` is the name of a missing or unknown
    member. `schema_path` locates the keyword in the schema, `evaluation_path` leads to it through
    references. `matching` counts the branches of a union that accept the part.
    """

    __slots__ = (
        "evaluation_path",
        "keyword",
        "matching",
        "member",
        "message",
        "path",
        "schema_path",
    )

    def __init__(  # noqa: PLR0913 - the fields of an error, by keyword
        self,
        path: Path,
        keyword: str,
        message: str,
        *,
        member: str | None = None,
        schema_path: Path = (),
        evaluation_path: Path = (),
        matching: int = 0,
    ) -> None:
        self.path = path
        self.keyword = keyword
        self.message = message
        self.member = member
        self.schema_path = schema_path
        self.evaluation_path = evaluation_path
        self.matching = matching

    @property
    def member_path(self) -> Path:
        """The path of the member, if set, else of the part."""
        return self.path if self.member is None else (*self.path, self.member)

    @property
    def located(self) -> str:
        """The message prefixed with the path."""
        return f"{path_text(self.member_path)}: {self.message}"

    @property
    def sentence(self) -> str:
        """The message with the member's name, for a path that does not contain it."""
        return self.message if self.member is None else f"`{self.member}` {self.message}"


class Secrets:
    """Knows which schemas declare secret values; a definition of several schemas is read once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[JsonValue, bool]] = {}

    def are_in(self, schema: JsonValue) -> bool:
        """Return whether any part of a schema declares secret values."""
        waiting = [schema]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict):
                if declares_secret(node):
                    return True
                for keyword, value in node.items():
                    if keyword == "$defs" and isinstance(value, dict):
                        if any(map(self._are_in_definition, value.values())):
                            return True
                    else:
                        waiting.append(value)
            elif isinstance(node, list):
                waiting += node
        return False

    def _are_in_definition(self, schema: JsonValue) -> bool:
        if id(schema) not in self._known:
            # The schema is kept, so that no other one gets its identity.
            self._known[id(schema)] = schema, self.are_in(schema)
        return self._known[id(schema)][1]


class Explainer:
    """Explains violations of one schema of draft 2020-12 whose references all resolve.

    With `formats`, formats are validated. With `is_masked`, messages show no part of the value.
    With `follows_unions` false, a failed union is one error without explanation of its branches.
    With `names_all_members`, every unknown member is named. No message shows a value that the
    schema declares secret, by `writeOnly` or the format `password`. `secrets` is for explainers of
    schemas with the same definitions.
    """

    def __init__(  # noqa: PLR0913 - options, by keyword
        self,
        schema: JsonValue,
        *,
        formats: bool = False,
        is_masked: bool = False,
        follows_unions: bool = True,
        names_all_members: bool = False,
        secrets: Secrets | None = None,
    ) -> None:
        self.schema = schema
        self.formats = formats
        self.is_masked = is_masked
        self.follows_unions = follows_unions
        self.max_unknown = 1_000_000 if names_all_members else _MAX_UNKNOWN
        self.references = References(schema)
        self._keywords: dict[tuple[str, str], Accepts] = {}
        self.discriminators = Discriminators(self.references)
        self._probes: dict[int, Accepts | None] = {}
        self._secret_definitions = Secrets() if secrets is None else secrets

    def errors(
        self, value: JsonValue, *, limit: int = MAX_ERRORS, steps: int = MAX_STEPS
    ) -> list[InstanceError]:
        """Return the errors of a rejected value: at least one, at most `limit`.

        An error not found within `steps` is reported for the smallest part known to contain it.
        """
        return self.search(value, limit=limit, steps=steps).run()

    def search(
        self, value: JsonValue, *, limit: int = MAX_ERRORS, steps: int = MAX_STEPS
    ) -> Search:
        """Return the search behind `errors`, which knows afterwards whether it was complete."""
        return Search(self, value, limit, steps)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether any part of the schema declares secret values."""
        return self._secret_definitions.are_in(self.schema)

    @cached_property
    def secret_locations(self) -> SecretLocations:
        """Finds the parts of a value that the schema declares secret."""
        return SecretLocations(self.references, lambda text: self.keyword("pattern", text))

    def keyword(self, name: str, argument: JsonValue) -> Accepts:
        """Return a validator of one keyword that only the validator can decide."""
        key = name, repr(argument)
        if key not in self._keywords:
            self._keywords[key] = compiled({name: argument}, formats=self.formats)
        return self._keywords[key]

    def probe(self, schema: JsonValue) -> Accepts | None:
        """Return a validator of lists whose items all satisfy a subschema; None beyond a limit."""
        key = id(schema)
        if key not in self._probes:
            self._probes[key] = self._compiled(schema) if len(self._probes) < _MAX_PROBES else None
        return self._probes[key]

    def _compiled(self, schema: JsonValue) -> Accepts | None:
        pointer, root = self.references.pointer(schema), self.schema
        if pointer is None or not isinstance(root, dict):
            return None
        stated = root.get("$id")
        uri = stated if isinstance(stated, str) and ":" in stated else "urn:toolspec:value"
        whole: JsonObject = {"value": {**root, "$id": uri}}
        items: JsonObject = {"items": {"$ref": f"{uri.rstrip('#')}#{pointer}"}, "$defs": whole}
        return compiled(items, formats=self.formats)


def explained(schema: JsonValue, value: JsonValue) -> list[InstanceError]:
    """Return the errors of a value against a schema; none if it is valid."""
    return [] if compiled(schema)(value) else Explainer(schema).errors(value)


class _StopError(Exception):
    """Ends a search, or that of one branch, at the maximum number of errors."""


class _OutOfStepsError(Exception):
    """Ends a search at the maximum number of steps."""


class Search:
    """A search for the errors of a value; its stacks hold the current location."""

    def __init__(self, explainer: Explainer, value: JsonValue, limit: int, steps: int) -> None:
        self._explainer = explainer
        self._value = value
        self._limit = limit
        self._steps = steps
        self.spent = 0
        """Number of steps taken."""
        self.is_complete = True
        """Whether no errors are missing, and no values masked, because of the number of steps."""
        self._errors: list[InstanceError] = []
        self._is_quiet = False
        """Whether only the number of errors matters."""
        self._secrecy = _Secrecy(explainer, steps)
        self._path: list[str | int] = []
        self._evaluation: list[str | int] = []
        self._origins: list[tuple[int, Path]] = [(0, ())]
        """Targets of the references entered so far, by depth of the path."""
        self._scope: list[str] = []
        self._is_large = count_members(value, _LARGE) > _LARGE
        self._probed = 0
        """Enclosing parts that the validator was asked about."""
        self._suspect: Path = ()
        self._is_pattern_limited = False
        """Whether a pattern hit the regex engine's limit; then no other pattern is checked."""

    def run(self) -> list[InstanceError]:
        """Return the errors of the value; at least one, since the validator rejected it."""
        problem = "breaks the schema"
        try:
            self._check(self._explainer.schema, self._value)
        except _StopError:
            pass
        except (_OutOfStepsError, RecursionError):
            self.is_complete = False
            problem = "breaks the schema, in a part that is too large to explain"
        if self._errors:
            return self._errors
        part, self._path = self._value, [*self._suspect]
        for step in self._suspect:
            part = part[step]  # type: ignore[index]  # a visited step
        return [InstanceError(self._suspect, "schema", f"{self._show(part)} {problem}")]

    def _report(
        self,
        keyword: str,
        message: str,
        *,
        member: str | None = None,
        matching: int = 0,
    ) -> None:
        evaluation = (*self._evaluation, keyword)
        length, origin = self._origins[-1]
        text = _shortened(message)
        self._add(
            InstanceError(
                tuple(self._path),
                keyword,
                text,
                member=member,
                schema_path=(*origin, *evaluation[length:]),
                evaluation_path=evaluation,
                matching=matching,
            )
        )

    def _show(self, value: JsonValue) -> str:
        if self._is_quiet:
            return ""
        return MASK if self._is_masked(value) else shown(value)

    def _is_masked(self, value: JsonValue) -> bool:
        """Return whether a message must not show a value: it is secret, or may contain a secret."""
        explainer = self._explainer
        if explainer.is_masked or not explainer.has_secrets:
            return explainer.is_masked
        if isinstance(value, (list, dict)):
            return True
        is_secret = self._secrecy.is_at(self._path)
        if self._secrecy.is_exhausted:
            self.is_complete = False
        return is_secret

    def _add(self, error: InstanceError) -> None:
        self._errors.append(error)
        if len(self._errors) >= self._limit:
            raise _StopError

    def _spend(self, steps: int = 1) -> None:
        if self.spent + steps > self._steps:
            raise _OutOfStepsError
        self.spent += steps

    def _attempt(
        self, schema: JsonValue, value: JsonValue, limit: int, *way: str | int
    ) -> list[InstanceError]:
        """Return the errors of a value against a subschema, without reporting them."""
        self._spend(_ATTEMPT_STEPS)
        outer = self._errors, self._limit
        stacks = (self._path, self._evaluation, self._origins, self._scope)
        depths, probed = [len(stack) for stack in stacks], self._probed
        self._errors, self._limit = [], limit
        self._evaluation += way
        try:
            self._check(schema, value)
        except _StopError:
            pass
        finally:
            errors, (self._errors, self._limit) = self._errors, outer
            for stack, depth in zip(stacks, depths, strict=True):
                del stack[depth:]  # type: ignore[attr-defined]  # each is a list
            self._probed = probed
        return errors

    def _accepts(self, schema: JsonValue, value: JsonValue) -> bool:
        is_quiet, self._is_quiet = self._is_quiet, True
        try:
            return not self._attempt(schema, value, 1)
        finally:
            self._is_quiet = is_quiet

    def _check(self, schema: JsonValue, value: JsonValue) -> None:
        """Report the errors of a value; after a wrong type or constant, no others."""
        self._spend()
        if schema is False:
            self._report("falseSchema", "is not allowed here")
        if not isinstance(schema, dict):
            return
        stated = schema.get("type")
        if stated is not None and not _has_any_type(value, stated):
            self._report("type", f"{self._show(value)} is not {_words(_names(stated))}")
            return
        options = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(options, list) and not self._is_one_of(value, options):
            keyword = "const" if "const" in schema else "enum"
            self._report(keyword, self._not_one_of(value, options))
            return
        self._check_content(schema, value)
        self._check_applicators(schema, value)
        if "unevaluatedProperties" in schema and isinstance(value, dict):
            self._check_unevaluated_members(schema, value)
        if "unevaluatedItems" in schema and isinstance(value, list):
            self._check_unevaluated_items(schema, value)

    def _check_content(self, schema: JsonObject, value: JsonValue) -> None:
        if isinstance(value, str):
            self._check_text(schema, value)
        elif isinstance(value, list):
            self._check_items(schema, value)
        elif isinstance(value, dict):
            self._check_members(schema, value)
        elif _is_number(value):
            self._check_number(schema, value)

    def _below(self, schema: JsonValue, value: JsonValue, *way: str | int) -> None:
        """Check the same value against a subschema."""
        self._evaluation += way
        self._check(schema, value)
        del self._evaluation[-len(way) :]

    def _inside(
        self, schema: JsonValue, parent: JsonValue, step: str | int, *way: str | int
    ) -> None:
        """Check a member or an item of a value against a subschema."""
        value = parent[step]  # type: ignore[index]  # an existing step
        self._path.append(step)
        self._evaluation += way
        probe = None
        if (
            self._is_large
            and isinstance(value, (list, dict))
            and len(parent) > 1  # type: ignore[arg-type]  # a container
            and self._probed < _MAX_NESTED_PROBES
        ):
            probe = self._explainer.probe(schema)
        if probe is None:
            self._check(schema, value)
        else:
            self._spend()
            if not probe([value]):
                if not self._is_quiet:
                    self._suspect = tuple(self._path)
                self._probed += 1
                self._check(schema, value)
                self._probed -= 1
        del self._evaluation[-len(way) :]
        self._path.pop()

    def _each(
        self, schema: JsonValue, parent: JsonValue, steps: Sequence[str | int], keyword: str
    ) -> None:
        """Check members or items with a common subschema."""
        if schema is True or (not schema and isinstance(schema, dict)):
            return
        probe = None
        if self._is_large and len(steps) > _CHUNK and self._probed < _MAX_NESTED_PROBES:
            probe = self._explainer.probe(schema)
        for start in range(0, len(steps), _CHUNK):
            chunk = steps[start : start + _CHUNK]
            if probe is not None:
                self._spend(1 + len(chunk) // _MEMBERS_A_STEP)
                if probe([parent[step] for step in chunk]):  # type: ignore[index]  # steps that it has
                    continue
            for step in chunk:
                self._inside(schema, parent, step, keyword)

    def _check_text(self, schema: JsonObject, value: str) -> None:
        for keyword, is_wrong, problem in _LENGTHS:
            bound = schema.get(keyword)
            if _is_number(bound) and is_wrong(len(value), bound):
                characters = _counted(bound, "character")
                self._report(keyword, f"{self._show(value)} {problem} {characters}")
        for keyword in _ENGINE_KEYWORDS:
            argument = schema.get(keyword)
            if argument is None or (keyword == "pattern" and self._is_pattern_limited):
                continue
            self._spend(len(value) // _CHARACTERS_A_STEP)
            if self._explainer.keyword(keyword, argument)(value):
                continue
            if keyword == "pattern" and is_too_expensive(str(argument), value):
                self._is_pattern_limited = True
                self._report(
                    PATTERN_LIMIT,
                    f"the pattern `{argument}` of the schema is too expensive to check {self._show(value)}",
                )
                self._spend(_PATTERN_LIMIT_STEPS)
                continue
            self._report(keyword, self._unlike(keyword, argument, value))

    def _unlike(self, keyword: str, argument: JsonValue, value: str) -> str:
        if keyword == "pattern":
            return f"{self._show(value)} does not match `{argument}`"
        if keyword == "format":
            return f"{self._show(value)} is not a valid `{argument}`"
        return f"{self._show(value)} is not valid {argument}"

    def _check_number(self, schema: JsonObject, value: float) -> None:
        for keyword, is_wrong, problem in _BOUNDS:
            bound = schema.get(keyword)
            if _is_number(bound) and is_wrong(value, bound):
                self._report(keyword, f"{self._show(value)} {problem} {self._bound(bound)}")
        step = schema.get("multipleOf")
        if step is not None and not self._explainer.keyword("multipleOf", step)(value):
            self._report("multipleOf", f"{self._show(value)} is not a multiple of {shown(step)}")

    def _bound(self, bound: JsonValue) -> str:
        return shown(bound)

    def _check_items(self, schema: JsonObject, value: list[JsonValue]) -> None:
        self._check_count(schema, ("minItems", "maxItems"), len(value), "item")
        first = schema.get("prefixItems")
        prefix = first if isinstance(first, list) else []
        for index, item in enumerate(prefix[: len(value)]):
            self._inside(item, value, index, "prefixItems", index)
        if "items" in schema:
            self._each(schema["items"], value, range(len(prefix), len(value)), "items")
        if schema.get("uniqueItems") is True:
            self._check_unique(value)
        if "contains" in schema:
            self._check_contains(schema, value)

    def _check_unique(self, value: list[JsonValue]) -> None:
        self._spend(len(value) // 8)
        seen: dict[object, int] = {}
        for index, item in enumerate(value):
            if isinstance(item, (list, dict)):
                self._spend(count_members(item, MAX_STEPS) // 4)
            first = seen.setdefault(identity(item), index)
            if first != index:
                self._report("uniqueItems", f"item {index} is the same as item {first}")
                return

    def _check_contains(self, schema: JsonObject, value: list[JsonValue]) -> None:
        fitting = sum(self._accepts(schema["contains"], item) for item in value)
        counts = {
            "minContains": schema.get("minContains", 1),
            "maxContains": schema.get("maxContains"),
        }
        self._check_count(counts, ("minContains", "maxContains"), fitting, "item", " of `contains`")

    def _check_members(self, schema: JsonObject, value: JsonObject) -> None:
        properties, patterns = _object(schema, "properties"), _object(schema, "patternProperties")
        if len(properties) <= len(value):
            names = [name for name in properties if name in value]
        else:
            names = [name for name in value if name in properties]
        for name in names:
            self._inside(properties[name], value, name, "properties", name)
        others = [name for name in value if name not in properties] if patterns else []
        for pattern, subschema in patterns.items():
            matches = self._explainer.keyword("pattern", pattern)
            self._spend(len(value) // 4)
            matching = {name for name in value if matches(name)}
            for name in [name for name in value if name in matching]:
                self._inside(subschema, value, name, "patternProperties", pattern)
            others = [name for name in others if name not in matching]
        further = schema.get("additionalProperties", True)
        if further is not True:
            self._spend(len(value) // 64)
            if not patterns:
                others = [name for name in value if name not in properties]
            self._check_others(further, value, others, [*properties], "additionalProperties")
        self._check_presence(schema, value)
        self._check_count(schema, ("minProperties", "maxProperties"), len(value), "member")
        self._check_property_names(schema, value)

    def _check_others(
        self,
        schema: JsonValue,
        value: JsonObject,
        names: list[str],
        listed: Sequence[str],
        keyword: str,
    ) -> None:
        """Check the members that an object does not list, as unknown or against a common schema."""
        if schema is not False:
            self._each(schema, value, names, keyword)
            return
        listed = listed[:_MAX_KNOWN]
        free = [name for name in listed if name not in value]
        for count, name in enumerate(names):
            if count == self._explainer.max_unknown and len(names) > count + 1:
                rest = f"{len(names) - count:,}"
                self._report(keyword, f"has {rest} more members that are not known")
                return
            hint = ""
            if count < _MAX_HINTS and not self._is_quiet:
                hint = suggestion(name, free) or suggestion(name, listed)
            self._report(keyword, f"is not known{hint}", member=name)

    def _check_count(
        self,
        schema: Mapping[str, JsonValue],
        keywords: tuple[str, str],
        count: int,
        noun: str,
        which: str = "",
    ) -> None:
        """Report a number of members or items outside the minimum or maximum."""
        for keyword, word in zip(keywords, ("minimum", "maximum"), strict=True):
            bound = schema.get(keyword)
            if _is_number(bound) and (count < bound if word == "minimum" else count > bound):
                self._report(keyword, f"has {_counted(count, noun)}{which}; the {word} is {bound}")

    def _check_property_names(self, schema: JsonObject, value: JsonObject) -> None:
        rule = schema.get("propertyNames", True)
        if rule is not True:
            for name in value:
                errors = self._attempt(rule, name, 1, "propertyNames")
                if errors:
                    error = errors[0]
                    error.path, error.member = tuple(self._path), name
                    error.message = f"is no valid name: {error.message}"
                    error.keyword = "propertyNames"
                    self._add(error)

    def _check_presence(self, schema: JsonObject, value: JsonObject) -> None:
        required = schema.get("required")
        for name in required if isinstance(required, list) else ():
            if name not in value:
                self._report("required", "is missing", member=str(name))
        for name, others in _object(schema, "dependentRequired").items():
            for other in others if name in value and isinstance(others, list) else ():
                if other not in value:
                    self._report(
                        "dependentRequired",
                        f"is missing; `{name}` requires it",
                        member=str(other),
                    )
        for name, item in _object(schema, "dependentSchemas").items():
            if name in value:
                self._below(item, value, "dependentSchemas", name)

    def _check_applicators(self, schema: JsonObject, value: JsonValue) -> None:
        for index, subschema in enumerate(_schemas(schema, "allOf")):
            self._below(subschema, value, "allOf", index)
        for keyword in ("anyOf", "oneOf"):
            branches = _schemas(schema, keyword)
            if branches:
                self._check_union(keyword, branches, value)
        if "not" in schema and self._accepts(schema["not"], value):
            self._report("not", f"{self._show(value)} is what `not` excludes")
        if "if" in schema:
            keyword = "then" if self._accepts(schema["if"], value) else "else"
            if keyword in schema:
                self._below(schema[keyword], value, keyword)
        for keyword in ("$ref", "$dynamicRef"):
            reference = schema.get(keyword)
            if isinstance(reference, str):
                self._follow(schema, keyword, reference, value)

    def _follow(self, schema: JsonObject, keyword: str, reference: str, value: JsonValue) -> None:
        references = self._explainer.references
        here = references.base(schema) if keyword == "$dynamicRef" or self._scope else ""
        if keyword == "$dynamicRef":
            target = references.dynamic_target(schema, reference, [*self._scope, here])
        else:
            target = references.target(schema, reference)
        if target is None:  # known only to the validator, so not explained
            return
        self._evaluation.append(keyword)
        self._origins.append((len(self._evaluation), references.path(target)))
        if not references.is_flat:
            self._scope.append(references.base(schema))
        self._check(target, value)
        if not references.is_flat:
            self._scope.pop()
        self._origins.pop()
        self._evaluation.pop()

    # Unions: explain the branch with a matching tag or type, else the most similar one.

    def _check_union(self, keyword: str, branches: list[JsonValue], value: JsonValue) -> None:
        if self._is_quiet or not self._explainer.follows_unions:
            self._count_branches(keyword, branches, value)
        else:
            self._explain_union(keyword, branches, value)

    def _count_branches(self, keyword: str, branches: list[JsonValue], value: JsonValue) -> None:
        matching = sum(self._accepts(branch, value) for branch in branches)
        if matching == 0 or (matching > 1 and keyword == "oneOf"):
            self._report(keyword, "fits no alternative", matching=matching)

    def _explain_union(self, keyword: str, branches: list[JsonValue], value: JsonValue) -> None:
        excluded = [self._mismatch(branch, value) for branch in branches]
        possible = [index for index, reason in enumerate(excluded) if reason is None]
        limit = self._limit - len(self._errors)
        if len(possible) > 1:
            limit = min(limit, _BRANCH_ERRORS)
        attempts = []
        for index in possible:
            errors = self._attempt(branches[index], value, limit, keyword, index)
            if not errors and keyword == "anyOf":
                return
            attempts.append(errors)
        matching = [index for index, errors in zip(possible, attempts, strict=True) if not errors]
        if len(matching) == 1:
            return
        if matching:
            numbers = " and ".join(str(index + 1) for index in matching[:_MAX_OPTIONS])
            self._report(
                keyword,
                (f"{self._show(value)} fits the alternatives {numbers}; it must fit exactly one"),
                matching=len(matching),
            )
        elif not possible:
            self._report_excluded(keyword, branches, value, excluded)
        elif not self._is_untagged(keyword, [branches[index] for index in possible], value):
            for error in min(attempts, key=_distance):
                self._add(error)

    def _mismatch(self, schema: JsonValue, value: JsonValue, depth: int = 0) -> _Mismatch | None:
        """Return the type or tag that excludes a branch; None if it is possible."""
        self._spend()
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            return None if schema is not False else _Mismatch()
        stated = schema.get("type")
        if stated is not None and not _has_any_type(value, stated):
            return _Mismatch(types=_names(stated))
        options = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(options, list) and not self._is_one_of(value, options):
            return _Mismatch(options=options)
        if isinstance(value, dict):
            for name, values in self._explainer.discriminators.tags(schema)[0].items():
                if name in value and not self._is_one_of(value[name], values):
                    return _Mismatch(tag=name, options=values)
        return self._inner_mismatch(schema, value, depth + 1)

    def _inner_mismatch(self, schema: JsonObject, value: JsonValue, depth: int) -> _Mismatch | None:
        target = self._explainer.references.of(schema)
        for part in (*_schemas(schema, "allOf"), *([] if target is None else [target])):
            reason = self._mismatch(part, value, depth)
            if reason is not None:
                return reason
        for keyword in ("anyOf", "oneOf"):
            reasons = [self._mismatch(branch, value, depth) for branch in _schemas(schema, keyword)]
            if reasons and None not in reasons:
                return _joined([reason for reason in reasons if reason is not None])
        return None

    def _report_excluded(
        self,
        keyword: str,
        branches: list[JsonValue],
        value: JsonValue,
        reasons: list[_Mismatch | None],
    ) -> None:
        """Report a union with no branch of a matching type or tag."""
        mismatches = [reason for reason in reasons if reason is not None]
        tagged = [reason for reason in mismatches if reason.tag is not None]
        tag = tagged[0].tag if tagged else None
        if isinstance(value, dict) and tag is not None:
            if all(reason.tag == tag for reason in tagged):
                options = [option for reason in tagged for option in reason.options]
                self._path.append(tag)
                self._report(keyword, self._not_one_of(value[tag], options))
                self._path.pop()
                return
            attempts = [
                self._attempt(branch, value, _BRANCH_ERRORS, keyword, index)
                for index, (branch, reason) in enumerate(zip(branches, mismatches, strict=True))
                if reason.tag is not None
            ]
            for error in min(attempts, key=_distance):
                self._add(error)
            return
        reason = _joined(mismatches)
        self._report(keyword, self._not_one_of(value, reason.options, reason.types))

    def _is_untagged(self, keyword: str, branches: list[JsonValue], value: JsonValue) -> bool:
        """Report a missing tag if it would identify the branch; return whether it did."""
        if not isinstance(value, dict) or len(branches) < 2:  # noqa: PLR2004 - no choice
            return False
        absent = self._explainer.discriminators.absent_from(branches, value)
        if absent is None:
            return False
        name, values = absent
        self._report(keyword, f"is missing; write {_listed(values)}", member=name)
        return True

    def _is_one_of(self, value: JsonValue, options: list[JsonValue]) -> bool:
        self._spend(len(options) // 16)
        # Python's equality is wider than that of JSON Schema, but fast on a long list.
        return value in options and any(
            value == option and are_equal(value, option) for option in options
        )

    def _not_one_of(
        self, value: JsonValue, options: list[JsonValue], types: Iterable[str] = ()
    ) -> str:
        if self._is_quiet:
            return ""
        types = [*types]
        allowed = _listed(options, types)
        close = ""
        if isinstance(value, str) and not self._is_masked(value):
            close = nearest(
                value, [option for option in options[:_MAX_KNOWN] if isinstance(option, str)]
            )
        hint = f"; did you mean {shown(close)}?" if close else ""
        several = len(options) > 1 and not types
        return f"{self._show(value)} is not {'one of ' if several else ''}{allowed}{hint}"

    # Members and items that no other keyword evaluates

    def _check_unevaluated_members(self, schema: JsonObject, value: JsonObject) -> None:
        rest = {name: item for name, item in schema.items() if name != "unevaluatedProperties"}
        evaluated = self._evaluated(rest, value, schema)
        names = [name for name in value if name not in evaluated]
        known = self._known_names(schema)
        further = schema["unevaluatedProperties"]
        self._check_others(further, value, names, known, "unevaluatedProperties")

    def _check_unevaluated_items(self, schema: JsonObject, value: list[JsonValue]) -> None:
        rest = {name: item for name, item in schema.items() if name != "unevaluatedItems"}
        evaluated = self._evaluated(rest, value, schema)
        further = schema["unevaluatedItems"]
        for index in range(len(value)):
            if index not in evaluated:
                self._inside(further, value, index, "unevaluatedItems")

    def _known_names(self, schema: JsonValue, depth: int = 0) -> list[str]:
        """Return the property names of a schema and of its combined schemas."""
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            return []
        self._spend()
        names = [*_object(schema, "properties")]
        target = self._explainer.references.of(schema)
        for keyword in _COMBINING:
            for subschema in _schemas(schema, keyword):
                names += self._known_names(subschema, depth + 1)
        return names + self._known_names(target, depth + 1)

    def _evaluated(
        self, schema: JsonValue, value: JsonValue, identified: JsonValue = None
    ) -> set[str | int]:
        """Return the names or indices in a value that a schema evaluates.

        `identified` is the original used to resolve references if `schema` is a copy.
        """
        self._spend()
        evaluated: set[str | int] = set()
        if not isinstance(schema, dict):
            return evaluated
        if isinstance(value, dict):
            properties = _object(schema, "properties")
            evaluated.update(name for name in value if name in properties)
            for pattern in _object(schema, "patternProperties"):
                matches = self._explainer.keyword("pattern", pattern)
                evaluated.update(name for name in value if matches(name))
            if "additionalProperties" in schema or "unevaluatedProperties" in schema:
                return {*value}
        elif isinstance(value, list):
            prefix = schema.get("prefixItems")
            evaluated.update(range(len(prefix) if isinstance(prefix, list) else 0))
            if "items" in schema or "unevaluatedItems" in schema:
                return {*range(len(value))}
            if "contains" in schema:
                contained = schema["contains"]
                evaluated.update(
                    i for i, item in enumerate(value) if self._accepts(contained, item)
                )
        for subschema in self._in_place(
            schema, value, schema if identified is None else identified
        ):
            if self._accepts(subschema, value):
                evaluated |= self._evaluated(subschema, value)
        return evaluated

    def _in_place(
        self, schema: JsonObject, value: JsonValue, identified: JsonValue
    ) -> Iterable[JsonValue]:
        """Yield the subschemas that a schema applies to the same value."""
        for keyword in _COMBINING:
            yield from _schemas(schema, keyword)
        if "if" in schema:
            keyword = "then" if self._accepts(schema["if"], value) else "else"
            yield schema["if"]
            yield schema.get(keyword, True)
        for name, item in _object(schema, "dependentSchemas").items():
            if isinstance(value, dict) and name in value:
                yield item
        references = self._explainer.references
        if isinstance(identified, dict):
            reference = schema.get("$ref")
            if isinstance(reference, str):
                yield references.target(identified, reference)
            reference = schema.get("$dynamicRef")
            if isinstance(reference, str):
                scope = [*self._scope, references.base(identified)]
                yield references.dynamic_target(identified, reference, scope)


class _Secrecy:
    """Knows whether the part at a location is secret, or inside one that is."""

    def __init__(self, explainer: Explainer, steps: int) -> None:
        self._explainer = explainer
        self._steps = steps
        """Number of schemas that may still be read."""
        self._path: list[str | int] = []
        self._applied: list[Applied | None] = []
        """The schemas that may apply at each depth of the last path; None for a secret part."""

    @property
    def is_exhausted(self) -> bool:
        """Whether every further part counts as secret, because finding out takes too long."""
        return self._steps < 0

    def is_at(self, path: Sequence[str | int]) -> bool:
        """Return whether any schema that may apply to a part, or around it, declares it secret."""
        common = 0
        for step, other in zip(path, self._path, strict=False):
            if step != other:
                break
            common += 1
        del self._applied[common + 1 :]
        self._path = [*path]
        if not self._applied:
            self._applied.append(self._read((self._explainer.schema,)))
        for step in path[len(self._applied) - 1 :]:
            around = self._applied[-1]
            locations = self._explainer.secret_locations
            part = None if around is None else self._read(locations.inside(around, step))
            self._applied.append(part)
        return self._applied[-1] is None

    def _read(self, schemas: Iterable[JsonValue]) -> Applied | None:
        """Return the schemas that may apply to a part; None if it is secret."""
        applied = None
        if not self.is_exhausted:
            applied = self._explainer.secret_locations.applied(schemas, self._steps)
        if applied is None:
            self._steps = -1
            return None
        self._steps -= len(applied)
        return None if any(map(declares_secret, applied)) else applied


class _Mismatch:
    """Reason that excludes a branch of a union: types, values, or a tag."""

    __slots__ = ("options", "tag", "types")

    def __init__(
        self,
        *,
        types: Iterable[str] = (),
        options: list[JsonValue] | None = None,
        tag: str | None = None,
    ) -> None:
        self.types = tuple(types)
        self.options = options or []
        self.tag = tag


def _joined(reasons: list[_Mismatch]) -> _Mismatch:
    """Return the combined reason of branches: that of a common tag, or all types and values."""
    tagged = [reason for reason in reasons if reason.tag is not None]
    chosen = tagged or reasons
    options = {identity(option): option for reason in chosen for option in reason.options}
    types = dict.fromkeys(name for reason in chosen for name in reason.types)
    return _Mismatch(
        types=types, options=[*options.values()], tag=tagged[0].tag if tagged else None
    )


def _distance(errors: list[InstanceError]) -> tuple[bool, int, int]:
    """Return a sort key of branches: wrong constants are worst, then many errors, then shallow."""
    is_other = any(error.keyword in {"const", "enum"} for error in errors)
    deepest = max((len(error.path) for error in errors), default=0)
    return is_other, len(errors), -deepest


_LENGTHS: tuple[tuple[str, Callable[[float, float], bool], str], ...] = (
    ("minLength", lambda length, bound: length < bound, "is shorter than"),
    ("maxLength", lambda length, bound: length > bound, "is longer than"),
)
_BOUNDS: tuple[tuple[str, Callable[[float, float], bool], str], ...] = (
    ("minimum", lambda value, bound: value < bound, "is less than the minimum of"),
    ("maximum", lambda value, bound: value > bound, "is greater than the maximum of"),
    ("exclusiveMinimum", lambda value, bound: value <= bound, "is not greater than"),
    ("exclusiveMaximum", lambda value, bound: value >= bound, "is not less than"),
)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _has_any_type(value: JsonValue, stated: JsonValue) -> bool:
    return any(has_type(value, name) for name in _names(stated))


def _names(stated: JsonValue) -> list[str]:
    return [str(name) for name in stated] if isinstance(stated, list) else [str(stated)]


def _words(types: Iterable[str]) -> str:
    """Return readable names of types, null last."""
    names = sorted(dict.fromkeys(types), key=lambda name: name == "null")
    return _enumerated([_ARTICLES.get(name, name) for name in names])


def _enumerated(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _listed(options: list[JsonValue], types: Iterable[str] = ()) -> str:
    """Return values and types as an enumeration: `"a", "b" or a whole number`."""
    # Two equal containers count as two options: comparing all of them would cost too much.
    unique = {
        id(option) if isinstance(option, (list, dict)) else identity(option): option
        for option in options[:_MAX_KNOWN]
    }
    count = len(unique) + len(options[_MAX_KNOWN:])
    words = [shown(option) for option in [*unique.values()][:_MAX_OPTIONS]]
    if count > _MAX_OPTIONS:
        words.append(f"{count - _MAX_OPTIONS:,} others")
    names = sorted(dict.fromkeys(types), key=lambda name: name == "null")
    return _enumerated([*words, *(_ARTICLES.get(name, name) for name in names)])


def _counted(number: JsonValue, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _shortened(message: str) -> str:
    if len(message) <= _MAX_MESSAGE:
        return message
    # Both ends matter: the value comes first and may be long, the reason last.
    half = _MAX_MESSAGE // 2
    return f"{message[:half]} … {message[-half + 3 :]}"


def _object(schema: JsonObject, name: str) -> JsonObject:
    value = schema.get(name)
    return value if isinstance(value, dict) else {}


def _schemas(schema: JsonObject, name: str) -> list[JsonValue]:
    value = schema.get(name)
    return value if isinstance(value, list) else []
