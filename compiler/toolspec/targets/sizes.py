"""Sizes of a service's tools, for each declared target as it sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.tool_sizes import NEUTRAL, Sizes, total
from toolspec.targets.versions import answering, exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Service, Tool
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.providers.profile import Profile


def sizes(service: Service, lowered_tools: LoweredTools) -> Sizes:
    """Return the sizes of a service's tools, cached."""
    return lowered_tools.sizes(service, _measure)


def _measure(service: Service, lowered_tools: LoweredTools) -> Sizes:
    by_tool = {exact_name(tool): {NEUTRAL: lowered_tools.neutral(tool)} for tool in service.tools}
    for profile in lowered_tools.declared:
        for tool, size in _sent(service, profile, lowered_tools):
            by_tool[exact_name(tool)][profile.name] = size
    return Sizes(by_tool, total(by_tool[exact_name(tool)] for tool in answering(service.tools)))


def _sent(
    service: Service, profile: Profile, lowered_tools: LoweredTools
) -> Iterator[tuple[Tool, int]]:
    """Yield the tools sent to a target with their sizes; those as written if it has no steps."""
    if not profile.steps:
        yield from ((tool, lowered_tools.neutral(tool)) for tool in answering(service.tools))
        return
    from toolspec.targets.provider_plan import plan

    for one in plan(service, profile, lowered_tools):
        if not one.is_left_out:
            yield one.tool, lowered_tools.tokens(one.lowered)
