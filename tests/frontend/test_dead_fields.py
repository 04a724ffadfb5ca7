"""Every field of the language has an effect: without it, some artifact has other bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from contract_walk import used, walk
from files_in_memory import FilesInMemory
from sampling import sampled
from test_drift import AUTHS, FRAGMENT, document, parsed
from toolspec.diagnostics import has_errors
from toolspec.frontend import naming, normalise, resolve
from toolspec.frontend.bind.unit import bind
from toolspec.frontend.includes.unit import expand
from toolspec.frontend.shape.document import Form, check
from toolspec.targets import catalog, docs, mcp, python
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from toolspec.ir import Program, Service
    from toolspec.syntax.nodes import JsonObject

TARGETS = (catalog.TARGET, docs.TARGET, python.TARGET, *mcp.TARGETS)
WITHOUT_EFFECT = {
    ("", "$schema"): "editors read it",
    ("fragment", "$schema"): "editors read it",
    ("annotations", "readOnlyHint"): "may only repeat what `mutation` says",
}


@pytest.mark.parametrize("auth", sampled(AUTHS, 1), ids=lambda auth: auth["type"])
def test_without_any_field_some_artifact_differs(auth: JsonObject) -> None:
    whole = document(auth)
    before = artifacts(whole, FRAGMENT)
    assert before
    fields = list(used(whole))
    if auth["type"] == "oauth2":
        dead = {
            each for at, each in enumerate(fields) if is_dead(before, without(whole, at), FRAGMENT)
        }
        parts = list(used(FRAGMENT, "fragment"))
        shared = [at for at, (name, _) in enumerate(parts) if name == "fragment"]
        dead |= {
            parts[at] for at in shared if is_dead(before, whole, without(FRAGMENT, at, "fragment"))
        }
    else:
        own = [at for at, (name, _) in enumerate(fields) if name.startswith("auth")]
        assert own
        dead = {fields[at] for at in own if is_dead(before, without(whole, at), FRAGMENT)}
    assert dead <= WITHOUT_EFFECT.keys()


def is_dead(before: dict[str, str], whole: JsonObject, fragment: JsonObject) -> bool:
    """Return whether a document that lacks a field makes the same artifacts; not where it is an error."""
    return artifacts(whole, fragment) == before


def without(value: JsonObject, position: int, name: str = "") -> JsonObject:
    """Return a document without the field that `used` yields at a position."""
    count = -1

    def see(mapping: JsonObject, _: str) -> JsonObject:
        nonlocal count
        kept: JsonObject = {}
        for key, each in mapping.items():
            count += 1
            if count != position:
                kept[key] = each
        return kept

    changed = walk(value, name, see)
    assert isinstance(changed, dict)
    return changed


def artifacts(whole: JsonObject, fragment: JsonObject) -> dict[str, str]:
    """Return the text of every artifact by its path; nothing where the document has an error.

    The catalog's digest of a definition's text is left out: it changes with every field, read or not.
    """
    read, part = parsed(json.loads(json.dumps(whole))), parsed(fragment, "more.json")
    found = [*check(read, Form.SERVICE), *check(part, Form.FRAGMENT)]
    if has_errors(found):
        return {}
    files = FilesInMemory({"more.json": part})
    unit = expand(read, files)
    service = bind(unit.value)
    made = resolve.resolve(service.value, files)
    found = [*unit.diagnostics, *service.diagnostics, *made.diagnostics]
    value = made.value
    for derive in normalise.PASSES:
        checked = derive(value)
        value = checked.value
        found += checked.diagnostics
    program = naming.name_program([value], "_")
    if has_errors([*found, *program.diagnostics]):
        return {}
    without_digests = _without_digests(program.value)
    return {
        artifact.path: artifact.text
        for target in TARGETS
        for artifact in emit_program(target, without_digests).value
    }


def _without_digests(program: Program) -> Program:
    return replace(program, services=tuple(map(_blank, program.services)))


def _blank(service: Service) -> Service:
    tools = tuple(
        replace(tool, provenance=replace(tool.provenance, digest="0" * 64))
        for tool in service.tools
    )
    return replace(service, tools=tools)
