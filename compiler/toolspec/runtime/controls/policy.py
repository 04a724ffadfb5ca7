"""Policies: which calls run, need approval, or are turned off."""

from __future__ import annotations

from toolspec.runtime.call_options import Permission
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal, TypeAlias

    from toolspec.runtime.definition import ToolDefinition

    Mode: TypeAlias = Literal["off", "ask", "auto"]


_STRICTNESS = {"auto": 0, "ask": 1, "off": 2}

_ANY_METHOD = "fetch"
_OPERATIONS = {
    "file": ("read", "write", "delete", "list"),
    "web": (_ANY_METHOD, "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
    "tool": (),
}
"""The operations of each kind of permission."""

_ALL_OPERATIONS = frozenset(operation for own in _OPERATIONS.values() for operation in own)

_HIGHEST_RISK_WITHOUT_APPROVAL = 1
"""The highest risk tier that runs without approval if no rule applies."""


class Rule(Record):
    """A mode for tools or permissions that match a pattern (`*` matches any text).

    `tool` is a full name, `permission` is `kind:resource` or `kind:resource:operation`; a rule with
    both applies to that permission of that tool. Without an operation, or with `*`, it applies to
    all of them; `fetch` is any method. `auto` applies to permissions that its pattern covers
    completely, `ask` and `off` to permissions that may overlap with it.
    """

    mode: Mode
    tool: str = "*"
    permission: str = ""


class PolicySource(Record):
    """Rules of one origin: the most specific matching rule decides.

    `skip` turns every `ask` of this source into `auto`, but never an `off`.
    """

    name: str
    rules: tuple[Rule, ...] = ()
    skip: bool = False


class Policy(Record):
    """Rules of all sources: `off` in any of them wins, then `ask` over `auto`.

    `default` returns the mode of a call without a rule; None means by its risk tier.
    """

    sources: tuple[PolicySource, ...] = ()
    default: Callable[[ToolDefinition], Mode] | None = None


class Decision(Record):
    """The mode of a call or permission, and the source that decided it."""

    mode: Mode
    source: str


def policy_problems(policy: object) -> list[str]:
    """Return a line for every unknown mode, impossible pattern and wrong type; None is valid."""
    if policy is None:
        return []
    if not isinstance(policy, Policy):
        return [f"the policy is {policy!r} ({type(policy).__name__}): it must be a `Policy`"]
    default: object = policy.default
    if default is not None and not callable(default):
        return [f"`default` is {default!r}: it must be a function of a tool, or None"]
    sources: object = policy.sources
    if not isinstance(sources, (tuple, list)):
        return [f"`sources` is {sources!r}: it must be a tuple of `PolicySource`"]
    return [line for source in sources for line in _source_problems(source)]


def _source_problems(source: object) -> list[str]:
    if not isinstance(source, PolicySource):
        return [f"a source is {source!r}: it must be a `PolicySource`"]
    rules: object = source.rules
    if not isinstance(rules, (tuple, list)):
        return [f"source `{source.name}`: `rules` is {rules!r}: it must be a tuple of `Rule`"]
    return [
        f"source `{source.name}`: {problem}" for rule in rules for problem in _rule_problems(rule)
    ]


def _rule_problems(rule: object) -> list[str]:
    if not isinstance(rule, Rule):
        return [f"a rule is {rule!r}: it must be a `Rule`"]
    problems = []
    if rule.mode not in tuple(_STRICTNESS):
        problems.append(f"{rule!r}: the mode must be one of {', '.join(_STRICTNESS)}")
    patterns: tuple[object, ...] = (rule.tool, rule.permission)
    if not all(isinstance(pattern, str) for pattern in patterns):
        problems.append(f"{rule!r}: `tool` and `permission` must be strings")
    elif rule.permission and (problem := _pattern_problem(rule.permission)):
        problems.append(f"{rule!r}: {problem}; {_known_operations()}")
    return problems


def _pattern_problem(pattern: str) -> str:
    """Return why a pattern cannot match a permission; an empty string if it can."""
    kinds = [kind for kind in _OPERATIONS if _have_common_text(pattern, f"{kind}:*")]
    if not kinds:
        kind, colon, _ = pattern.partition(":")
        return f"unknown kind `{kind}`" if colon else "the permission has no kind"
    start, _, end = pattern.rpartition(":")
    operations = [operation for kind in kinds for operation in _OPERATIONS[kind]]
    is_operation = any(end.lower() == operation.lower() for operation in operations)
    if start.removesuffix(":") in kinds and (is_operation or not end):
        return "the permission has no resource"
    if not _has_operation(start) or _is_any(end) or end in operations:
        return ""
    is_alike = any(_matches(end.lower(), operation.lower()) for operation in _ALL_OPERATIONS)
    is_word = ":" in start and end.isascii() and (end.isalpha() or not end)
    return f"unknown operation `{end}` of {' and '.join(kinds)}" if is_alike or is_word else ""


def _known_operations() -> str:
    kinds = [f"{kind} ({', '.join(own) or 'none'})" for kind, own in _OPERATIONS.items()]
    form = "write `kind:resource` or `kind:resource:operation`"
    return f"{form}; the kinds and their operations are {', '.join(kinds)}"


def check_policy(policy: Policy | None) -> None:
    """Raise ValueError listing every unknown mode and impossible pattern."""
    problems = policy_problems(policy)
    if problems:
        raise ValueError("; ".join(problems))


def unmatched_rules(policy: Policy, tools: Iterable[ToolDefinition]) -> list[str]:
    """Return a line for every rule whose `tool` matches no tool; rules match full names only."""
    names = [tool.full_name for tool in tools]
    return [
        f"source `{source.name}`: {rule!r} matches no tool"
        for source in policy.sources
        for rule in source.rules
        if not any(_matches(rule.tool, name) for name in names)
    ]


def decision_on_call(policy: Policy | None, tool: ToolDefinition) -> Decision:
    """Return the decision on a call of the tool, by rules or else by default or risk tier."""
    decided = _decided(policy, tool.full_name, None)
    if decided is not None:
        return decided
    if policy is not None and policy.default is not None:
        return Decision(mode=policy.default(tool), source="")
    return Decision(
        mode="auto" if tool.risk <= _HIGHEST_RISK_WITHOUT_APPROVAL else "ask", source=""
    )


def decision_on_permission(
    policy: Policy | None, tool: ToolDefinition, permission: Permission
) -> Decision | None:
    """Return the decision on one permission of the tool; None if no rule applies."""
    return _decided(policy, tool.full_name, permission)


def decided_permissions(
    tool: ToolDefinition, policy: Policy | None
) -> list[tuple[Permission, Decision | None]]:
    """Return the permissions that the tool declares, each with the decision of a rule or None.

    A rule `auto` for the tool decides on those without a rule of their own.
    """
    on_tool = _decided(policy, tool.full_name, None)
    covering = on_tool if on_tool is not None and on_tool.mode == "auto" else None
    return [
        (permission, decision_on_permission(policy, tool, permission) or covering)
        for permission in permissions_of(tool)
    ]


def permissions_of(tool: ToolDefinition) -> tuple[Permission, ...]:
    """Return the permissions that the tool declares, in order."""
    return tuple(
        Permission(kind=kind, resource=resource, operation=operation)
        for kind, resource, operation in tool.permissions
    )


def needs_decision(tool: ToolDefinition, policy: Policy | None) -> bool:
    """Return whether a call of the tool, or a permission, must be approved before it runs.

    A permission without a rule must be, at every risk tier.
    """
    decisions = [rule for _, rule in decided_permissions(tool, policy)]
    decisions.append(decision_on_call(policy, tool))
    return any(decision is None or decision.mode != "auto" for decision in decisions)


def _decided(policy: Policy | None, tool: str, permission: Permission | None) -> Decision | None:
    """Return the strictest decision of all sources."""
    decisions = [
        Decision(mode=mode, source=source.name)
        for source in (policy.sources if policy is not None else ())
        if (mode := _mode_in(source, tool, permission)) is not None
    ]
    return max(decisions, key=lambda decision: _STRICTNESS[decision.mode], default=None)


class _Match(Record):
    """A rule that applies: its mode, and how precise it is in tool and permission.

    `is_whole` is whether it covers the permission whole, and not only a part of it.
    """

    mode: Mode
    tool: tuple[bool, int]
    permission: tuple[bool, int] = (False, 0)
    is_whole: bool = True


def _mode_in(source: PolicySource, tool: str, permission: Permission | None) -> Mode | None:
    """Return the mode of the most specific rule; the strictest if several are.

    A rule about a part of the permission neither yields to another rule nor replaces one.
    """
    matches = [
        match for rule in source.rules for match in _matches_of(rule, source, tool, permission)
    ]
    whole = [match for match in matches if match.is_whole]
    deciding = [
        match
        for match in matches
        if not match.is_whole or not any(_is_more_specific(other, match) for other in whole)
    ]
    return max((match.mode for match in deciding), key=_STRICTNESS.__getitem__, default=None)


def _matches_of(
    rule: Rule, source: PolicySource, tool: str, permission: Permission | None
) -> list[_Match]:
    """Return a match for each meaning of the rule that applies."""
    if bool(rule.permission) != (permission is not None) or not _matches(rule.tool, tool):
        return []
    mode: Mode = "auto" if rule.mode == "ask" and source.skip else rule.mode
    precision = _precision(rule.tool)
    if permission is None:
        return [_Match(mode=mode, tool=precision)]
    matches = []
    for pattern, operation in _meanings(rule.permission):
        is_whole = _covers(pattern, operation, permission)
        if mode == "auto":
            is_climbing = "*" in pattern and _may_leave_folder(permission.resource)
            applies = is_whole and not is_climbing
        else:
            applies = is_whole or _includes_part(pattern, operation, permission)
        if applies:
            is_exact, letters = _precision(pattern)
            if operation and operation == permission.operation:
                letters += len(f":{operation}")
            match = _Match(
                mode=mode, tool=precision, permission=(is_exact, letters), is_whole=is_whole
            )
            matches.append(match)
    return matches


def _meanings(pattern: str) -> list[tuple[str, str]]:
    """Return patterns of `kind:resource` with an operation each; an empty one means all.

    A final `:*` means all operations, and also resources that contain a colon.
    """
    start, _, end = pattern.rpartition(":")
    if _has_operation(start) and end in _ALL_OPERATIONS:
        return [(start, end)]
    if _has_operation(start) and _is_any(end):
        return [(pattern, ""), (start, "")]
    return [(pattern, "")]


def _has_operation(start: str) -> bool:
    """Return whether an operation can follow: the text before it has room for kind and resource."""
    return ":" in start or "*" in start


def _is_any(text: str) -> bool:
    return bool(text) and not text.strip("*")


def _covers(pattern: str, operation: str, permission: Permission) -> bool:
    """Return whether a pattern with an operation includes the whole permission."""
    return _covers_operation(operation, permission) and _matches(
        pattern, f"{permission.kind}:{permission.resource}"
    )


def _covers_operation(operation: str, permission: Permission) -> bool:
    if operation == _ANY_METHOD and permission.kind == "web":
        return True
    return operation in ("", permission.operation)


def _includes_part(pattern: str, operation: str, permission: Permission) -> bool:
    """Return whether the permission may include something that a pattern with an operation names.

    A permission without an operation includes all, `fetch` all methods, and a resource may be a
    pattern of many. An operation in another case than the language's is taken for the same.
    """
    own = permission.operation.lower()
    if own in ("", "*", _ANY_METHOD):
        is_shared = operation in ("", *_OPERATIONS.get(permission.kind, (operation,)))
    else:
        is_shared = own == operation.lower() or _covers_operation(operation, permission)
    resource = permission.resource
    if permission.kind == "file":
        resource = resource.replace("?", "*")
    return is_shared and _have_common_text(pattern, f"{permission.kind}:{resource}")


def _may_leave_folder(resource: str) -> bool:
    """Return whether a path contains `..`, and may point outside its first folder."""
    return ".." in resource.replace("\\", "/").split("/")


def _is_more_specific(match: _Match, other: _Match) -> bool:
    """Return whether a match is more specific in tool or permission, and in neither less."""
    is_as_specific = match.tool >= other.tool and match.permission >= other.permission
    return is_as_specific and (match.tool > other.tool or match.permission > other.permission)


def _precision(pattern: str) -> tuple[bool, int]:
    """Return a sort key: exact names before patterns, then by the number of literal characters."""
    return "*" not in pattern, len(pattern) - pattern.count("*")


def _matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches the whole text, in linear time."""
    prefix, *parts = pattern.split("*")
    if not parts:
        return pattern == text
    if not text.startswith(prefix):
        return False
    position = len(prefix)
    for part in parts[:-1]:
        start = text.find(part, position)
        if start < 0:
            return False
        position = start + len(part)
    return len(text) - position >= len(parts[-1]) and text.endswith(parts[-1])


def _have_common_text(first: str, second: str) -> bool:
    """Return whether some text matches both patterns."""
    if "*" not in first:
        return _matches(second, first)
    if "*" not in second:
        return _matches(first, second)
    # The middle parts never conflict: a text can hold that of one pattern, then that of the other.
    start, other_start = first.partition("*")[0], second.partition("*")[0]
    end, other_end = first.rpartition("*")[2], second.rpartition("*")[2]
    has_start = start.startswith(other_start) or other_start.startswith(start)
    return has_start and (end.endswith(other_end) or other_end.endswith(end))
