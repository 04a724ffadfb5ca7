"""The hostile corpus: each text is accepted or refused as its index says, and nothing takes long."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from toolspec.syntax import parse

HOSTILE = Path(__file__).parents[3] / "shared" / "corpus" / "hostile"
# `no` is a string to the reader; that a flag wants a boolean is the document schema's to say.
REFUSED_LATER = {"yaml/norway_flag"}


def cases() -> list[Any]:
    if not HOSTILE.is_dir():
        reason = "the shared corpus does not lie beside this checkout"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason))]
    index = json.loads((HOSTILE / "index.json").read_text())
    return [
        pytest.param(case, id=case["id"])
        for case in index["cases"]
        if case["id"].startswith(("yaml/", "json/"))
    ]


@pytest.mark.parametrize("case", cases())
def test_hostile(case: dict[str, Any]) -> None:
    name = case["id"]
    checked = parse(case["file"], (HOSTILE / case["file"]).read_bytes())
    if case["expect"] == "accept" or name in REFUSED_LATER:
        assert checked.diagnostics == ()
    elif case["expect"] == "reject":
        assert not checked.ok
    for found in checked.diagnostics:
        assert found.span is not None
        assert found.span.first.line == case.get("line", found.span.first.line)
    for check in case["assert"]:
        kind, _, text = check.partition(":")
        if kind == "same_as":
            assert checked.value is not None
            other = parse(text, (HOSTILE / text).read_bytes()).value
            assert other is not None
            assert checked.value.value == other.value
        if kind == "if_accepted_text":
            assert checked.value is not None
            assert text in json.dumps(checked.value.value, ensure_ascii=False)
