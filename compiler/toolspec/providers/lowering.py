"""Lowering of a tool to one provider: the steps of its profile in order, then the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers import profile as profiles
from toolspec.providers.build_ledger import build_ledger
from toolspec.providers.decoding import decode_map
from toolspec.providers.draft import Draft, entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import read, write
from toolspec.providers.steps import STEPS
from toolspec.providers.steps.inline_references import DEEPEST, measure
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Node
    from toolspec.providers.profile import Profile
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class LoweredTool:
    """A tool as it is sent to one provider.

    `schema` is None where the provider wants no parameters at all. `ledger` is sorted by pointer
    and has one entry for each keyword of `Tool.arguments`. `decode` turns a model's answer into
    arguments of the source (`toolspec.runtime.provider_calls` has the operations).
    `strict_refusals` has the reasons why no strict form exists; then the other fields are those of
    the loose form, and `is_strict` is false.
    """

    name: str
    description: str
    schema: JsonObject | None
    is_strict: bool
    ledger: tuple[Entry, ...]
    decode: tuple[JsonObject, ...] = ()
    strict_refusals: tuple[Entry, ...] = ()

    @property
    def refusals(self) -> tuple[Entry, ...]:
        """Keywords that cannot be expressed for the provider; a tool with one cannot be sent."""
        return tuple(entry for entry in self.ledger if entry.outcome is Outcome.REFUSED)


def lower(tool: Tool, profile: Profile) -> LoweredTool:
    """Return a tool as a profile sends it; the loose form, and why, where there is no strict one.

    Pure, deterministic, and linear in the tool and the growth that the profile allows for
    references.
    """
    source = read(tool.arguments)
    lowered = _lower(tool, source, profile)
    if not lowered.refusals or not profile.fallback:
        return lowered
    loose = profiles.find_profile(profile.fallback)
    if loose is None:
        return lowered
    return replace(_lower(tool, source, loose), strict_refusals=lowered.refusals)


def _lower(tool: Tool, source: Node, profile: Profile) -> LoweredTool:
    start = Draft(tool, profile, tool.names.full, tool.description, None)
    draft = start.having(source)
    for stage in profile.steps:
        draft = STEPS[stage.step](draft, stage.options)
        if draft.is_overgrown:
            break
    draft = _within_depth(draft, source)
    schema = write(draft.root) if draft.root else None
    decode, ambiguous = decode_map(draft.root) if draft.root else ((), ())
    return LoweredTool(
        draft.name,
        draft.description,
        schema if isinstance(schema, dict) else None,
        profile.is_strict,
        build_ledger(replace(draft, entries=(*draft.entries, *ambiguous)), source),
        decode,
    )


def _within_depth(draft: Draft, source: Node) -> Draft:
    """Return the draft, refused if its steps nested it deeper than JSON parsers allow."""
    if draft.root is None or draft.is_overgrown or measure(draft.root)[1] <= DEEPEST + 2:
        return draft
    detail = "its schemas are nested too deeply after rewriting"
    refused = entries(source.of(*source.words)[:1], Outcome.REFUSED, "nesting", detail)
    return replace(draft.having(draft.root, refused), is_overgrown=True)
