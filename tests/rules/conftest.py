"""Programs for rules: the fragments of their manuals made whole and sent through the front end."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from toolspec.frontend import bind, includes, naming, shape
from toolspec.frontend.shape.contract import Form
from toolspec.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.ir import Program

TOOL = {"description": "Do it.", "mutation": False, "outputSchema": {"type": "string"}}


def compiled(document: dict[str, Any]) -> Program:
    """Return the program of a document that has to pass every stage before the rules."""
    parsed = parse("specs/example.json", json.dumps(document).encode())
    assert parsed.ok, parsed.diagnostics
    assert parsed.value is not None
    assert not shape.check(parsed.value, Form.SERVICE)
    bound = bind.bind(includes.Unit(parsed.value))
    assert bound.ok, bound.diagnostics
    return naming.name_program([bound.value]).value


def whole(fragment: str) -> dict[str, Any]:
    """Return a document from what an example of a manual shows; `{9}` stands for nine letters."""
    grown = re.sub(r"\{(\d+)\}", lambda found: "x" * int(found[1]), fragment)
    document = yaml.safe_load(grown)
    service = {"name": "notes", "description": "Notes.", **document.pop("service", {})}
    tools = [{**TOOL, **tool} for tool in document.pop("tools")]
    return {"toolspec": 1, "service": service, **document, "tools": tools}


@pytest.fixture
def program() -> Callable[[str], Program]:
    return lambda fragment: compiled(whole(fragment))
