"""Programs for rules: the fragments of their manuals made whole and sent through the front end."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from toolspec.frontend import bind, includes, naming, normalise, resolve, shape
from toolspec.frontend.shape.contract import Form
from toolspec.rules import engine
from toolspec.rules.selection import Plan, Setting
from toolspec.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Checked, Diagnostic
    from toolspec.ir import Program, Service
    from toolspec.rules.rule import Rule
    from toolspec.syntax.nodes import Document, Location

TOOL = {"description": "Do it.", "mutation": False, "outputSchema": {"type": "string"}}


class NoFiles:
    """The files of a project that has none besides the document itself."""

    def read(self, path: str, referrer: Location) -> Checked[Document | None]:
        raise AssertionError(path, referrer)

    def glob(self, pattern: str, referrer: Location) -> Checked[tuple[str, ...]]:
        raise AssertionError(pattern, referrer)


@dataclass(frozen=True)
class Trial:
    """An example of a manual: documents, and what the project's configuration says beside them.

    A fragment holds one service, or several by name under `services`. `options` are the rule's,
    `targets` what the build is for.
    """

    program: Program
    options: dict[str, Any]
    targets: tuple[str, ...]

    def run(self, rule: Rule) -> tuple[Diagnostic, ...]:
        """Return what a rule finds."""
        plan = Plan({rule.code: Setting(rule.kind.severity, self.options)})
        return engine.run(self.program, plan, targets=self.targets)


def tried(fragment: str) -> Trial:
    """Return the trial of a fragment; `{9}` in it stands for nine letters."""
    grown = re.sub(r"\{(\d+)\}", lambda found: "x" * int(found[1]), fragment)
    content = yaml.safe_load(grown)
    options, targets = content.pop("options", {}), content.pop("targets", ())
    named = content.pop("services", None)
    documents = (
        [
            {**each, "service": {"name": name, **each.get("service", {})}}
            for name, each in named.items()
        ]
        if named
        else [content]
    )
    services = [bound(whole(each)) for each in documents]
    return Trial(naming.name_program(services).value, options, tuple(targets))


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that has what every document must have."""
    service = {"name": "notes", "description": "Notes.", **document.get("service", {})}
    tools = [{**TOOL, **tool} for tool in document["tools"]]
    return {"toolspec": 1, **document, "service": service, "tools": tools}


def bound(document: dict[str, Any]) -> Service:
    """Return the service of a document that has to pass every stage before the rules."""
    name = document["service"]["name"]
    parsed = parse(f"specs/{name}.json", json.dumps(document).encode())
    assert parsed.ok, parsed.diagnostics
    assert parsed.value is not None
    assert not shape.check(parsed.value, Form.SERVICE)
    checked = bind.bind(includes.Unit(parsed.value))
    assert checked.ok, checked.diagnostics
    checked = resolve.resolve(checked.value, NoFiles())
    assert checked.ok, checked.diagnostics
    service = checked.value
    for derive in normalise.PASSES:
        service = derive(service).value
    return service


@pytest.fixture
def trial() -> Callable[[str], Trial]:
    return tried


@pytest.fixture
def program() -> Callable[[str], Program]:
    return lambda fragment: tried(fragment).program
