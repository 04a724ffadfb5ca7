"""Files of a provider target: the tool list, its ledger, and the decode map."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from toolspec.providers.ledger import Outcome
from toolspec.targets.provider_plan import plan, profile_of
from toolspec.targets.target import Artifact, Emission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.ir import Service
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Profile
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.provider import Provider
    from toolspec.targets.provider_plan import SentTool
    from toolspec.targets.target import EmitContext

# Step of a keyword that is unchanged, so that its pointer suffices.
_UNCHANGED = "keep"


def emit_service(provider: Provider, service: Service, context: EmitContext) -> Emission:
    """Return `<module>/<target>.json`, `.ledger.json` and `.decode.json` of a service.

    A tool that cannot be sent to the provider is left out of the list; the ledger records that.
    """
    return Emission(_files(provider, service, context))


def _files(provider: Provider, service: Service, context: EmitContext) -> Iterator[Artifact]:
    profile = profile_of(provider.name)
    every = plan(service, profile, context.lowered_tools)
    sent = [sent_tool for sent_tool in every if not sent_tool.is_left_out]
    entries: list[JsonValue] = [
        provider.entry(sent_tool.tool, sent_tool.lowered) for sent_tool in sent
    ]
    contents: dict[str, JsonValue] = {
        "json": provider.listing(entries),
        "ledger.json": _ledger(profile, every),
        "decode.json": {sent_tool.lowered.name: _decoding(sent_tool) for sent_tool in sent},
    }
    for ending, value in contents.items():
        path = f"{service.names.module}/{provider.name}.{ending}"
        yield Artifact(path, context.serializer.text(value))


def _decoding(sent: SentTool) -> JsonObject:
    return {"tool": sent.tool.names.full, "decode": [*sent.lowered.decode]}


def _ledger(profile: Profile, every: Iterable[SentTool]) -> JsonObject:
    """Return the ledger of all tools: the outcome of every keyword of their arguments.

    Unchanged keywords are listed by pointer under their outcome; the others under `changes`.
    """
    return {
        "target": profile.name,
        "profile": profile.date,
        "tools": [_tool_ledger(sent) for sent in every],
    }


def _tool_ledger(sent: SentTool) -> JsonObject:
    lowered = sent.lowered
    unchanged: defaultdict[Outcome, list[JsonValue]] = defaultdict(list)
    changes: list[JsonValue] = []
    for entry in lowered.ledger:
        if entry.step == _UNCHANGED and not entry.detail:
            unchanged[entry.outcome].append(entry.pointer)
        else:
            changes.append(_change(entry))
    ledger: JsonObject = {"tool": sent.tool.names.full, "name": lowered.name, "form": _form(sent)}
    if lowered.strict_refusals:
        ledger["notStrict"] = [_change(entry) for entry in lowered.strict_refusals]
    ledger["changes"] = changes
    return {
        **ledger,
        **{outcome.value: unchanged[outcome] for outcome in Outcome if outcome in unchanged},
    }


def _form(sent: SentTool) -> str:
    if sent.is_left_out:
        return "left out"
    return "strict" if sent.lowered.is_strict else "loose"


def _change(entry: Entry) -> JsonObject:
    change: JsonObject = {
        "pointer": entry.pointer,
        "keyword": entry.keyword,
        "outcome": entry.outcome.value,
        "step": entry.step,
    }
    return {**change, "detail": entry.detail} if entry.detail else change
