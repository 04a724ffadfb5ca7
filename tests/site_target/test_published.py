"""What is published: `x-internal`, and choices by service, tag and scope."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from made_programs import service, tool
from toolspec.ir import Deprecation, Program, ScopeRule
from toolspec.targets import discovery
from toolspec.targets.target import EmitContext

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject

PROGRAM = Program(
    (
        service(
            tool("open_one", tags=("public",)),
            tool("secret_one", extensions={"x-internal": True}),
            tool("admin_one", scopes=(ScopeRule(("admin",)),), tags=("public",)),
            tool("old_one", deprecated=Deprecation(use="github_secret_one"), tags=("beta",)),
            name="shop",
        ),
        service(tool("hidden_two"), name="back", extensions={"x-internal": True}),
        service(tool("third"), name="extra"),
    )
)
ACCEPTED = {"day": "2026-01-01", "service": "shop", "version": "1.0.0", "reason": "", "changes": []}


def published(target: str, **options: object) -> str:
    """Return the text of all files of a target."""
    found = discovery.find(target)
    assert found
    context = EmitContext(dict(options))  # type: ignore[arg-type] # JSON
    emissions = [found.emit_service(each, context) for each in PROGRAM.services]
    notes: list[JsonObject] = [emission.note for emission in emissions]
    assert json.loads(json.dumps(notes)) == notes
    files = [*(file for each in emissions for file in each.artifacts)]
    files += found.emit_project(notes, context).value
    return "\n".join(f"{file.path}\n{file.text}" for file in files)


@pytest.mark.parametrize("target", ["docs", "site"])
@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, "open_one admin_one old_one third"),
        ({"exclude": {"services": ["extra"], "scopes": ["admin"]}}, "open_one old_one"),
        ({"exclude": {"tags": ["beta"]}}, "open_one admin_one third"),
        ({"include": {"services": ["extra"]}}, "third"),
        ({"include": {"tags": ["public"]}, "exclude": {"scopes": ["admin"]}}, "open_one"),
        ({"include": {"scopes": ["admin"]}}, "admin_one"),
    ],
)
def test_what_is_not_published_is_named_nowhere(
    target: str, options: JsonObject, names: str
) -> None:
    text = published(target, **options)
    every = ("open_one", "secret_one", "admin_one", "old_one", "hidden_two", "third")
    assert {name for name in every if name in text} == set(names.split())
