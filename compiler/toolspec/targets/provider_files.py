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
_LEFT = "keep"


def emit_service(provider: Provider, service: Service, context: EmitContext) -> Emission:
    """Return `<module>/<target>.json`, `.ledger.json` and `.decode.json` of a service.

    A tool that cannot be sent to the provider is left out of the list; the ledger records that.
    """
    return Emission(_files(provider, service, context))


def _files(provider: Provider, service: Service, context: EmitContext) -> Iterator[Artifact]:
    profile = profile_of(provider.name)
    every = plan(service, profile, context.lowered_tools)
    sent = [each for each in every if not each.is_left_out]
    entries: list[JsonValue] = [provider.entry(each.tool, each.lowered) for each in sent]
    contents: dict[str, JsonValue] = {
        "json": provider.listing(entries),
        "ledger.json": _ledger(profile, every),
        "decode.json": {each.lowered.name: _decoding(each) for each in sent},
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
        "tools": [_account(each) for each in every],
    }


def _account(sent: SentTool) -> JsonObject:
    lowered = sent.lowered
    left: defaultdict[Outcome, list[JsonValue]] = defaultdict(list)
    changes: list[JsonValue] = []
    for entry in lowered.ledger:
        if entry.step == _LEFT and not entry.detail:
            left[entry.outcome].append(entry.pointer)
        else:
            changes.append(_change(entry))
    account: JsonObject = {"tool": sent.tool.names.full, "name": lowered.name, "form": _form(sent)}
    if lowered.fallen:
        account["notStrict"] = [_change(each) for each in lowered.fallen]
    account["changes"] = changes
    return {**account, **{outcome.value: left[outcome] for outcome in Outcome if outcome in left}}


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
