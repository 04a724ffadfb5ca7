"""Token sizes of a service's tools, for each declared target as it sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.tokens import NEUTRAL, Sizes, tokens_sent, total
from toolspec.targets.versions import answering, exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Service, Tool
    from toolspec.providers.offers import Offers
    from toolspec.providers.profile import Profile


def sizes(service: Service, offers: Offers) -> Sizes:
    """Return the sizes of a service's tools, cached."""
    return offers.sizes(service, _measure)


def _measure(service: Service, offers: Offers) -> Sizes:
    each = {exact_name(tool): {NEUTRAL: offers.neutral(tool)} for tool in service.tools}
    for profile in offers.declared:
        for tool, size in _sent(service, profile, offers):
            each[exact_name(tool)][profile.name] = size
    return Sizes(each, total(each[exact_name(tool)] for tool in answering(service.tools)))


def _sent(service: Service, profile: Profile, offers: Offers) -> Iterator[tuple[Tool, int]]:
    """Yield the tools sent to a target with their sizes; those as written if it has no steps."""
    if not profile.steps:
        yield from ((tool, offers.neutral(tool)) for tool in answering(service.tools))
        return
    from toolspec.targets.provider_plan import plan

    for one in plan(service, profile, offers):
        if not one.is_left_out:
            sent = one.lowered
            yield one.tool, tokens_sent(sent.name, sent.description, sent.schema)
