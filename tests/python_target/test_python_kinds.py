from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from built import program, service, tool
from toolspec.ir import Hooks
from toolspec.targets.python import TARGET
from toolspec.targets.python.kinds import KINDS
from toolspec.targets.target import EmitContext

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service


def found(*services: Service) -> list[Diagnostic]:
    return [
        diagnostic
        for service in program(*services).services
        for diagnostic in TARGET.check_service(service, EmitContext())
    ]


def test_a_hook_has_one_role() -> None:
    first = tool("a", hooks=Hooks(before=("audit", "audit"), after=("mark",)))
    second = tool("b", hooks=Hooks(after_response=("audit",), middleware=("audit",)))
    (finding,) = found(service("demo", first, second))
    assert finding.message == "hook `audit` is used as before and as middleware"
    assert finding.subject.service == "demo"


def test_a_hook_of_the_service_and_of_a_tool_is_the_same_hook() -> None:
    both = service("demo", tool("a", hooks=Hooks(after=("x",))), hooks=Hooks(before=("x",)))
    assert [each.code for each in found(both)] == ["python/hook-role"]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.code for kind in KINDS])
def test_a_kind_explains_itself(kind: object) -> None:
    assert kind in TARGET.kinds
    assert all(getattr(kind, part) for part in ("message", "hint", "why", "example"))
