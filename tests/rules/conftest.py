"""Programs for rules: the fragments of their manuals made whole and sent through the front end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from partial_specs import bound, whole
from toolspec.frontend import naming
from toolspec.rules import engine
from toolspec.rules.selection import Plan, Setting

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Program
    from toolspec.rules.rule import Rule


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


@pytest.fixture
def trial() -> Callable[[str], Trial]:
    return tried


@pytest.fixture
def program() -> Callable[[str], Program]:
    return lambda fragment: tried(fragment).program
