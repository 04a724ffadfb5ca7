"""Repair of an imported service: what is changed for each error of the compiler."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from toolspec.diagnostics import Subject
from toolspec.importers.draft import Draft
from toolspec.importers.openapi.repair import Refusal, repair
from toolspec.importers.openapi.services import ServiceDraft
from toolspec.importers.tool import ImportedSuppression
from toolspec.syntax import parse

TOOL: dict[str, Any] = {
    "name": "find",
    "summary": "Find it.",
    "http": {"path": "/find"},
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "("}},
        "allOf": [{"minProperties": -1}, {"type": "object"}],
        "additionalProperties": {"pattern": "("},
    },
    "outputSchema": {"items": {"pattern": "("}, "enum": [1, 1]},
}
DEFINITIONS: dict[str, Any] = {"Row": {"type": "object", "required": 1}, "Anything": True}
ALLOWED = ImportedSuppression("schema/any", "It is the origin's.", "accepts anything")
LISTED = [ALLOWED.value]
INPUT = ("tools", 0, "inputSchema")


def repaired(*refusals: Refusal) -> tuple[ServiceDraft, bool]:
    document = parse("api.json", b'{"name": "find"}').value
    assert document is not None
    location = document.location()
    tool = Draft("find", location, Subject("api", "api_find"), fields=deepcopy(TOOL))
    service = Draft("api", location, Subject("api"))
    draft = ServiceDraft("api", service, [tool], deepcopy(DEFINITIONS))
    return draft, repair(draft, refusals)


def refusal(*path: str | int, allowed: ImportedSuppression | None = None) -> Refusal:
    return Refusal(path, "no", allowed)


@pytest.mark.parametrize(
    ("path", "after"),
    [
        (("properties", "a", "pattern"), {"properties": {"a": {"type": "string"}}}),
        (("properties", "a"), {"properties": {"a": {}}}),
        (("allOf", 0, "minProperties"), {"allOf": [{}, {"type": "object"}]}),
        (("allOf", 1), {"allOf": [{"minProperties": -1}, {}]}),
        (("additionalProperties", "pattern"), {"additionalProperties": {}}),
        (("additionalProperties",), {"additionalProperties": {}}),
    ],
)
def test_the_place_of_an_error_accepts_more(
    path: tuple[str | int, ...], after: dict[str, Any]
) -> None:
    draft, is_changed = repaired(refusal(*INPUT, *path))
    assert is_changed
    assert draft.tools[0].fields == {**TOOL, "inputSchema": {**TOOL["inputSchema"], **after}}
    assert [each.code for each in draft.diagnostics] == ["import/value-dropped"]


@pytest.mark.parametrize("member", ["summary", "http"])
def test_an_optional_member_is_left_out(member: str) -> None:
    draft, is_changed = repaired(refusal("tools", 0, member))
    assert is_changed
    assert member not in draft.tools[0].fields
    assert len(draft.diagnostics) == 1


@pytest.mark.parametrize(
    "paths",
    [
        [()],
        [("name",)],
        [("title",)],
        [("inputSchema",)],
        [("inputSchema", "type")],
        [("name",), ("inputSchema",)],
    ],
)
def test_a_tool_without_which_nothing_helps_is_left_out_once(
    paths: list[tuple[str, ...]],
) -> None:
    draft, is_changed = repaired(*(refusal("tools", 0, *path) for path in paths))
    assert is_changed
    assert not draft.tools
    assert [each.code for each in draft.diagnostics] == ["import/left-out"]


def test_a_definition_accepts_more() -> None:
    draft, is_changed = repaired(refusal("$defs", "Row", "required"))
    assert is_changed
    assert draft.definitions == {**DEFINITIONS, "Row": {"type": "object"}}
    draft, is_changed = repaired(refusal("$defs", "Row"))
    assert is_changed
    assert draft.definitions == {**DEFINITIONS, "Row": {}}


@pytest.mark.parametrize("path", [("$defs", "Anything"), ("$defs", "Lost"), ("service",), ()])
def test_what_cannot_be_changed_stays(path: tuple[str, ...]) -> None:
    draft, is_changed = repaired(refusal(*path))
    assert not is_changed
    assert (draft.tools[0].fields, draft.definitions) == (TOOL, DEFINITIONS)
    assert not draft.diagnostics


def test_a_rule_is_suppressed_once_where_it_reports() -> None:
    paths = (("tools", 0, "inputSchema"), ("$defs", "Row", "required"), ("service", "title"))
    draft, is_changed = repaired(*(refusal(*path, allowed=ALLOWED) for path in paths * 2))
    assert is_changed
    assert draft.tools[0].fields == {**TOOL, "x-toolspec-allow": LISTED}
    assert draft.definitions["Row"] == {**DEFINITIONS["Row"], "x-toolspec-allow": LISTED}
    assert draft.suppressions == [ALLOWED]
    assert [each.code for each in draft.diagnostics] == ["import/suppressed"] * 3
