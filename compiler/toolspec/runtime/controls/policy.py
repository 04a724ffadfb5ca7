"""Policies: which calls run, need approval, or are turned off."""

from __future__ import annotations

from toolspec.runtime.call_options import Permission
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
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

_HIGHEST_UNASKED = 1
"""The highest risk tier that runs without approval if no rule applies."""


class Rule(Record):
    """A mode for tools or permissions that match a pattern (`*` is any text).

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
    """Rules of all sources: `off` in any of them wins, then `ask` over `auto`."""

    sources: tuple[PolicySource, ...] = ()


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
        problems.append(f"{rule!r}: the mode is one of {', '.join(_STRICTNESS)}")
    patterns: tuple[object, ...] = (rule.tool, rule.permission)
    if not all(isinstance(one, str) for one in patterns):
        problems.append(f"{rule!r}: `tool` and `permission` must be strings")
    return problems


def check_policy(policy: Policy | None) -> None:
    """Raise ValueError listing every unknown mode."""
    problems = policy_problems(policy)
    if problems:
        raise ValueError("; ".join(problems))


def decision_on_call(policy: Policy | None, tool: ToolDefinition) -> Decision:
    """Return the decision on a call of the tool, by rules or else by risk tier."""
    decided = _decided(policy, tool.full_name, None)
    if decided is not None:
        return decided
    return Decision(mode="auto" if tool.risk <= _HIGHEST_UNASKED else "ask", source="")


def decision_on_permission(
    policy: Policy | None, tool: ToolDefinition, permission: Permission
) -> Decision | None:
    """Return the decision on one permission of the tool; None if no rule applies."""
    return _decided(policy, tool.full_name, permission)


def decided_permissions(
    tool: ToolDefinition, policy: Policy | None
) -> list[tuple[Permission, Decision | None]]:
    """Return the permissions that the tool declares, each with the decision of a rule or None."""
    return [(one, decision_on_permission(policy, tool, one)) for one in permissions_of(tool)]


def permissions_of(tool: ToolDefinition) -> tuple[Permission, ...]:
    """Return the permissions that the tool declares, in order."""
    return tuple(
        Permission(kind=kind, resource=resource, operation=operation)
        for kind, resource, operation in tool.permissions
    )


def needs_decision(tool: ToolDefinition, policy: Policy | None) -> bool:
    """Return whether a call of the tool has to be approved or refused before it runs."""
    decisions = [rule for _, rule in decided_permissions(tool, policy) if rule is not None]
    decisions.append(decision_on_call(policy, tool))
    return any(decision.mode != "auto" for decision in decisions)


def _decided(policy: Policy | None, tool: str, permission: Permission | None) -> Decision | None:
    """Return the strictest decision of all sources."""
    decisions = [
        Decision(mode=mode, source=source.name)
        for source in (policy.sources if policy is not None else ())
        if (mode := _mode_in(source, tool, permission)) is not None
    ]
    return max(decisions, key=lambda one: _STRICTNESS[one.mode], default=None)


def _mode_in(source: PolicySource, tool: str, permission: Permission | None) -> Mode | None:
    """Return the mode of the most specific rule; the strictest if several are."""
    fitting = [rule for rule in source.rules if _is_about(rule, tool, permission)]
    best = [rule for rule in fitting if not any(_is_narrower(other, rule) for other in fitting)]
    mode = max((rule.mode for rule in best), key=_STRICTNESS.__getitem__, default=None)
    return "auto" if mode == "ask" and source.skip else mode


def _is_about(rule: Rule, tool: str, permission: Permission | None) -> bool:
    if bool(rule.permission) != (permission is not None) or not _fits(rule.tool, tool):
        return False
    return permission is None or _is_about_permission(rule, permission)


def _is_about_permission(rule: Rule, permission: Permission) -> bool:
    pattern, _, operation = rule.permission.rpartition(":")
    if operation not in _OPERATIONS:
        pattern, operation = rule.permission, permission.operation
    if operation != permission.operation:
        return False
    if rule.mode == "auto" and "*" in pattern and _climbs(permission.resource):
        return False
    return _fits(pattern, f"{permission.kind}:{permission.resource}")


def _climbs(resource: str) -> bool:
    """Return whether a path may lead out of its first folder."""
    return ".." in resource.replace("\\", "/").split("/")


def _is_narrower(one: Rule, other: Rule) -> bool:
    """Return whether a rule is at least as specific everywhere, and more so somewhere."""
    tools = _precision(one.tool), _precision(other.tool)
    permissions = _precision(one.permission), _precision(other.permission)
    no_less = tools[0] >= tools[1] and permissions[0] >= permissions[1]
    return no_less and (tools[0] > tools[1] or permissions[0] > permissions[1])


def _precision(pattern: str) -> tuple[bool, int]:
    """Return a sort key: exact names before patterns, then by the number of literal characters."""
    return "*" not in pattern, len(pattern) - pattern.count("*")


def _fits(pattern: str, text: str) -> bool:
    """Return whether a pattern matches the whole text, in linear time."""
    first, *others = pattern.split("*")
    if not others:
        return pattern == text
    if not text.startswith(first):
        return False
    at = len(first)
    for part in others[:-1]:
        start = text.find(part, at)
        if start < 0:
            return False
        at = start + len(part)
    return len(text) - at >= len(others[-1]) and text.endswith(others[-1])
