"""Facts of compiled services, in full: defaults are filled in."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from toolspec.changes.side import SERVICE_FACTS, TOOL_FACTS, Side
from toolspec.driver.analysis import context_of
from toolspec.providers.ledger import Outcome
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.providers.profile import find_profile
from toolspec.shared.json_values import as_object
from toolspec.targets.catalog.entries import SchemaDigests, service_entry, tool_entry
from toolspec.targets.extensions import PRESERVED, for_readers
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.config import Config
    from toolspec.ir import Program, Service, Tool
    from toolspec.providers.profile import Profile
    from toolspec.shared.json_values import JsonObject, JsonValue
    from toolspec.targets.target import Target

_OF_TARGETS = frozenset({"targets", "lowered", "wire"})
"""Facts that depend on the targets of the project."""


def program_side(program: Program, label: str) -> Side:
    """Return the side of a compiled program, without what its targets make of it."""
    digests = {service.name: SchemaDigests(service) for service in program.services}
    return Side(
        label,
        {service.name: _service(service, digests[service.name]) for service in program.services},
        {
            exact_name(tool): _tool(service, tool, digests[service.name])
            for service, tool in program.tools
        },
        service_facts=frozenset(SERVICE_FACTS) - _OF_TARGETS,
        tool_facts=frozenset(TOOL_FACTS) - _OF_TARGETS,
        unversioned=frozenset(
            service.name for service in program.services if not _states_version(service)
        ),
    )


def _states_version(service: Service) -> bool:
    stated = service.location.value_or_none if service.location else None
    return isinstance(stated, dict) and "version" in stated


def contract_side(program: Program, label: str, targets: Iterable[Target], config: Config) -> Side:
    """Return the side of a program as contracts have it, with what its targets make of it."""
    side = program_side(program, label)
    sent = [target for target in targets if target.definition]
    lowered_tools = LoweredTools(target.name for target in sent)
    names: list[JsonValue] = [target.name for target in sent]
    tools = {
        exact_name(tool): {
            **side.tools[exact_name(tool)],
            "lowered": _lowered(tool, sent, lowered_tools),
            "wire": _wire(tool, sent, config, lowered_tools),
        }
        for _, tool in program.tools
    }
    services = {name: {**facts, "targets": names} for name, facts in side.services.items()}
    return Side(label, services, tools, unversioned=side.unversioned)


def _wire(
    tool: Tool, targets: Iterable[Target], config: Config, lowered_tools: LoweredTools
) -> JsonObject:
    """Return the definition of a tool for each target that has one."""
    definitions: JsonObject = {}
    for target in targets:
        assert target.definition is not None, target.name
        context = context_of(target, config, lowered_tools=lowered_tools)
        definition = target.definition(tool, context)
        if definition is not None:
            definitions[target.name] = definition
    return definitions


def _lowered(tool: Tool, targets: Iterable[Target], lowered_tools: LoweredTools) -> JsonObject:
    """Return what becomes of a tool for each target with a profile."""
    profiles = filter(None, (find_profile(target.name) for target in targets))
    return {profile.name: _outcome(tool, profile, lowered_tools) for profile in profiles}


def _outcome(tool: Tool, profile: Profile, lowered_tools: LoweredTools) -> JsonObject:
    """Return form, name and tokens of a lowered tool, and the keywords that are not enforced.

    `otherwise` is the outcome of keywords that `keywords` does not list: an enforcing provider keeps
    most of them, and another one shows most of them as hints.
    """
    lowered = lowered_tools.lowered(tool, profile)
    outcomes = [str(entry.outcome) for entry in lowered.ledger]
    otherwise = max((str(Outcome.KEPT), str(Outcome.HINT)), key=outcomes.count)
    limits = profile.limits
    longest = limits.description_length or limits.description_length_advised or inf
    renamed = [each for each in lowered.decode if each.get("op") == "rename"]
    return {
        "form": "refused" if lowered.refusals else "strict" if lowered.is_strict else "loose",
        "name": "" if lowered.name == tool.names.full else lowered.name,
        "description": "too long" if len(tool.description) > longest else "whole",
        "tokens": lowered_tools.tokens(lowered),
        "otherwise": otherwise,
        "keywords": {
            entry.pointer or entry.keyword: str(entry.outcome)
            for entry in lowered.ledger
            if entry.outcome != otherwise
        },
        "keys": {str(each.get("at")): each.get("keys") for each in renamed},
    }


def _service(service: Service, digests: SchemaDigests) -> JsonObject:
    entry = service_entry(service, digests)
    auth = entry["auth"]
    assert isinstance(auth, dict)
    fields = service.auth.fields
    entry["auth"] = {
        **{key: item for key, item in auth.items() if key != "fieldsDigest"},
        "fields": fields.bundle if fields else None,
    }
    entry["settings"] = service.settings.bundle if service.settings else None
    return {fact: entry[fact] for fact in SERVICE_FACTS if fact not in _OF_TARGETS}


def _tool(service: Service, tool: Tool, digests: SchemaDigests) -> JsonObject:
    entry = tool_entry(service, tool, {}, digests)
    entry["input"], entry["output"] = tool.arguments, tool.output.bundle
    entry["chunk"] = tool.chunk.bundle if tool.chunk else None
    entry["instances"] = list(tool.instances)
    entry["extensions"] = _extensions(tool)
    if tool.annotations.read_only:  # the other two mean nothing for it
        hints = {"destructive": False, "idempotent": True}
        entry["hints"] = {**as_object(entry["hints"]), **hints}
    return {fact: entry[fact] for fact in TOOL_FACTS if fact not in _OF_TARGETS}


def _extensions(tool: Tool) -> JsonObject:
    """Return the extensions as a list of tools shows them, with members that an import preserved."""
    preserved = as_object(as_object(tool.extensions.get(PRESERVED)).get("_meta"))
    return {**for_readers(tool.extensions), **preserved}
