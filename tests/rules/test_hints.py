"""What is advised fits what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml
from toolspec.rules import engine

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.conftest import Trial

STRICT = "targets: [openai-chat-strict]\n"
DEPRECATED = "deprecated: {since: 1.2.0, use: getTow}"
DEEP = "{type: object, additionalProperties: false, properties: {}}"
for _ in range(12):
    DEEP = f"{{type: object, additionalProperties: false, properties: {{a: {DEEP}}}}}"


def tool(schema: str) -> str:
    return f"{STRICT}tools: [{{name: show, inputSchema: {schema}}}]"


@pytest.mark.parametrize(
    ("code", "fragment", "hint"),
    [
        (
            "safety/name-destroys",
            "tools: [{name: wipe, mutation: false}]",
            "write `mutation: true` if",
        ),
        (
            "safety/name-destroys",
            "tools: [{name: wipe, mutation: true, annotations: {destructiveHint: false}}]",
            "delete the hint if",
        ),
        (
            "catalog/unknown-replacement",
            f"tools: [{{name: getOne, {DEPRECATED}}}, {{name: getTwo}}]",
            "did you mean `getTwo`?",
        ),
        (
            "catalog/unknown-replacement",
            f"tools: [{{name: getOne, {DEPRECATED}}}]",
            "leave `use` out",
        ),
        (
            "target/strict-fallback",
            tool(
                yaml.safe_dump(
                    {"enum": [f"v{at}" for at in range(1200)]}, default_flow_style=True
                ).join(("{type: object, additionalProperties: false, properties: {a: ", "}}"))
            ),
            "make the schema smaller",
        ),
        ("target/strict-fallback", tool(DEEP), "make the schema smaller"),
        ("target/strict-fallback", tool("{type: object, properties: {a: {}}}"), "add a `type`"),
    ],
)
def test_advice(code: str, fragment: str, hint: str, trial: Callable[[str], Trial]) -> None:
    (found,) = trial(fragment).run(engine.find(code))
    assert found.help.startswith(hint)
