"""Every finding of the readers: its example triggers it, and its place is where it says."""

from __future__ import annotations

import pytest
from toolspec.diagnostics import DiagnosticKind
from toolspec.syntax import parse
from toolspec.syntax.kinds import KINDS

# Their examples are whole files, or bytes that no YAML snippet can show.
NOT_A_SNIPPET = {
    "syntax/file-type",
    "syntax/too-large",
    "syntax/too-many",
    "syntax/encoding",
    "syntax/character",
    "syntax/depth",
    "syntax/long-key",
    "syntax/expansion",
}


def by_code(kind: DiagnosticKind) -> str:
    return kind.code


@pytest.mark.parametrize("kind", [k for k in KINDS if k.code not in NOT_A_SNIPPET], ids=by_code)
def test_the_example_triggers_its_finding(kind: DiagnosticKind) -> None:
    data = kind.example.encode()
    found = {
        diagnostic.code
        for name in ("x.yaml", "x.json")
        for diagnostic in parse(name, data).diagnostics
    }
    assert kind.code in found


@pytest.mark.parametrize("kind", KINDS, ids=by_code)
def test_a_finding_is_explained(kind: DiagnosticKind) -> None:
    assert kind.why.endswith(".")
    assert kind.hint or kind.code == "syntax/yaml"
    assert not kind.message.endswith(".")


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(codes) == len(set(codes))
