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

_OPERATIONS = frozenset(
    [
        "read",
        "write",
        "delete",
        "list",
        "fetch",
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
    ]
)
"""Values that make the last part of a pattern an operation; a resource may contain colons."""

_HIGHEST_RISK_WITHOUT_APPROVAL = 1
"""The highest risk tier that runs without approval if no rule applies."""


class Rule(Record):
    """A mode for tools or permissions that match a pattern (`*` matches any text).

    `tool` is a full name, `permission` is `kind:resource` or `kind:resource:operation`; a rule with
    both applies to that permission of that tool.
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
    """Return a line for every unknown mode and wrong type; None is valid."""
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
    return problems


def check_policy(policy: Policy | None) -> None:
    """Raise ValueError listing every unknown mode."""
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


def _mode_in(source: PolicySource, tool: str, permission: Permission | None) -> Mode | None:
    """Return the mode of the most specific rule; the strictest if several are."""
    matching = [rule for rule in source.rules if _applies_to(rule, tool, permission)]
    most_specific = [
        rule for rule in matching if not any(_is_more_specific(other, rule) for other in matching)
    ]
    mode = max((rule.mode for rule in most_specific), key=_STRICTNESS.__getitem__, default=None)
    return "auto" if mode == "ask" and source.skip else mode


def _applies_to(rule: Rule, tool: str, permission: Permission | None) -> bool:
    if bool(rule.permission) != (permission is not None) or not _matches(rule.tool, tool):
        return False
    return permission is None or _applies_to_permission(rule, permission)


def _applies_to_permission(rule: Rule, permission: Permission) -> bool:
    pattern, _, operation = rule.permission.rpartition(":")
    if operation not in _OPERATIONS:
        pattern, operation = rule.permission, permission.operation
    if operation != permission.operation:
        return False
    if rule.mode == "auto" and "*" in pattern and _may_leave_folder(permission.resource):
        return False
    return _matches(pattern, f"{permission.kind}:{permission.resource}")


def _may_leave_folder(resource: str) -> bool:
    """Return whether a path contains `..`, and may point outside its first folder."""
    return ".." in resource.replace("\\", "/").split("/")


def _is_more_specific(rule: Rule, other: Rule) -> bool:
    """Return whether a rule is more specific in tool or permission, and in neither less."""
    tools = _precision(rule.tool), _precision(other.tool)
    permissions = _precision(rule.permission), _precision(other.permission)
    is_as_specific = tools[0] >= tools[1] and permissions[0] >= permissions[1]
    return is_as_specific and (tools[0] > tools[1] or permissions[0] > permissions[1])


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
