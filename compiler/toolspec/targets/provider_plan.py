"""Selection of the tools and forms sent to a provider within its strict budget (A23)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.frontend.locations import name_span
from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.profile import find_profile
from toolspec.schema.walk import children
from toolspec.shared.records import dataclass, replace
from toolspec.targets.provider_kinds import SAME_NAME, STRICT_BUDGET
from toolspec.targets.versions import answering

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.providers.lowering import LoweredTool
    from toolspec.providers.profile import Limits, Profile
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.target import EmitContext

_STEP = "strict-budget"
# Largest number of tools that a diagnostic labels.
_LABELS = 5


@dataclass(frozen=True, slots=True)
class ExceededLimit:
    """A count that a strict tool would raise above the limit of one request."""

    what: str
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class SentTool:
    """A tool as sent to a provider; `over` is the limit that rules out its strict form."""

    tool: Tool
    lowered: LoweredTool
    over: ExceededLimit | None = None

    @property
    def is_left_out(self) -> bool:
        """Whether it cannot be sent to the provider in any form."""
        return bool(self.lowered.refusals)


def profile_of(target: str) -> Profile:
    """Return the profile of a provider target, which always exists."""
    profile = find_profile(target)
    assert profile is not None, target
    return profile


def plan(service: Service, profile: Profile, lowered_tools: LoweredTools) -> tuple[SentTool, ...]:
    """Return the tools of a service in the order of the document, the highest version of each.

    Strict forms are allotted while the request has room, to destructive tools first.
    """
    tools = answering(service.tools)
    sent = {id(tool): SentTool(tool, lowered_tools.lowered(tool, profile)) for tool in tools}
    budget = _Budget(profile.limits)
    for tool in sorted(tools, key=lambda tool: not _is_destructive(tool)):
        one = sent[id(tool)]
        if one.lowered.is_strict and not one.is_left_out and (over := budget.reserve(one.lowered)):
            sent[id(tool)] = _loose(one, over, profile, lowered_tools)
    return tuple(sent[id(tool)] for tool in tools)


def check_service(target: str, service: Service, context: EmitContext) -> Iterator[Diagnostic]:
    """Yield diagnostics about a service as a whole: equal names, strict forms without room."""
    sent = plan(service, profile_of(target), context.lowered_tools)
    yield from _equal_names(target, service, sent)
    if any(sent_tool.over for sent_tool in sent):
        yield _without_room(target, service, sent)


def _equal_names(target: str, service: Service, sent: tuple[SentTool, ...]) -> Iterator[Diagnostic]:
    names: dict[str, Tool] = {}
    for sent_tool in sent:
        tool, name = sent_tool.tool, sent_tool.lowered.name
        other = names.setdefault(name.casefold(), tool)
        if other is not tool:
            span = name_span(other)
            yield SAME_NAME.at(
                name_span(tool),
                labels=[Label(span, "and this")] if span else [],
                subject=Subject(service.name, tool.names.full),
                tool=tool.names.full,
                other=other.names.full,
                name=name,
                target=target,
            )


def _without_room(target: str, service: Service, sent: tuple[SentTool, ...]) -> Diagnostic:
    """Return one diagnostic for all tools that are sent loosely, as they share a cause."""
    overs = {over.what: over for sent_tool in sent if (over := sent_tool.over)}
    loose = [sent_tool.tool for sent_tool in sent if sent_tool.over]
    spans = [span for tool in loose[:_LABELS] if (span := name_span(tool))]
    return STRICT_BUDGET.at(
        name_span(service),
        labels=[Label(span, "one of them") for span in spans],
        subject=Subject(service.name),
        count=len(loose),
        tools=len(sent),
        service=service.name,
        target=target,
        limits=" and ".join(f"{over.limit} {over.what}" for over in overs.values()),
    )


def _is_destructive(tool: Tool) -> bool:
    return tool.annotations.destructive and not tool.annotations.read_only


def _loose(
    sent: SentTool, over: ExceededLimit, profile: Profile, lowered_tools: LoweredTools
) -> SentTool:
    loose = lowered_tools.lowered(sent.tool, profile_of(profile.fallback))
    detail = f"{over.count} {over.what} in one request; the provider takes {over.limit}"
    why = Entry("", "strict", Outcome.REFUSED, _STEP, detail)
    return SentTool(sent.tool, replace(loose, strict_refusals=(why,)), over)


class _Budget:
    """Remaining budget of the limits that all strict tools of a request share."""

    def __init__(self, limits: Limits) -> None:
        self._limits: Mapping[str, int | None] = {
            "strict tools": limits.strict_tools,
            "optional parameters": limits.optional_parameters,
            "parameters of several types": limits.union_parameters,
        }
        self._counts = dict.fromkeys(self._limits, 0)

    def reserve(self, lowered: LoweredTool) -> ExceededLimit | None:
        """Reserve the budget of a strict tool; if a limit is exceeded, only return it."""
        optional, union = _parameters(lowered.schema or {})
        counts = dict(zip(self._counts, (1, optional, union), strict=True))
        for what, count in counts.items():
            limit = self._limits[what]
            if limit is not None and count and self._counts[what] + count > limit:
                return ExceededLimit(what, self._counts[what] + count, limit)
        self._counts = {what: count + counts[what] for what, count in self._counts.items()}
        return None


def _parameters(schema: JsonObject) -> tuple[int, int]:
    """Return the number of optional properties, and of those with several types.

    Properties behind references are not counted, as observed at the provider.
    """
    optional = union = 0
    waiting: list[JsonValue] = [{key: value for key, value in schema.items() if key != "$defs"}]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        properties, required = node.get("properties"), node.get("required")
        required_names = required if isinstance(required, list) else []
        for name, member in properties.items() if isinstance(properties, dict) else ():
            optional += name not in required_names
            if isinstance(member, dict):
                union += "anyOf" in member or isinstance(member.get("type"), list)
        waiting += [child for _, child in children(node)]
    return optional, union
