"""Every rule stands in every preset of the newest date, and no preset says more than it may."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from toolspec.diagnostics import Severity
from toolspec.rules import engine, presets

FOLDER = Path(presets.__file__).parent
# What a new rule comes to in a preset, by its own severity, until somebody says something else.
USUAL = {
    "core": {"error": "error", "warning": "off", "note": "off"},
    "recommended": {"error": "error", "warning": "warning", "note": "off"},
    "strict": {"error": "error", "warning": "warning", "note": "warning"},
}
WEIGHTS = {*map(str, Severity), presets.OFF}


@pytest.mark.parametrize("kind", USUAL)
def test_the_newest_preset_names_every_rule(kind: str, accept: bool) -> None:
    path = FOLDER / f"{presets.dated(kind)}.json"
    content = json.loads(path.read_text())
    usual = {rule.code: USUAL[kind][rule.kind.severity] for rule in engine.all_rules()}
    if accept:
        rules = {code: content["rules"].get(code, weight) for code, weight in usual.items()}
        content = {"preset": path.stem, "rules": rules}
        path.write_text(json.dumps(content, indent=2) + "\n")
    missing = usual.keys() - content["rules"].keys()
    assert not missing, "`pytest tests/rules/test_presets.py --accept` adds them"
    assert list(content["rules"]) == list(usual)
    assert content["preset"] == path.stem
    assert WEIGHTS.issuperset(content["rules"].values())


def test_every_preset_is_listed() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == list(presets.NAMES)


def test_what_a_smaller_preset_has_the_greater_has_too() -> None:
    for small, great in (("core", "recommended"), ("recommended", "strict")):
        these, those = (presets.settings(presets.dated(each)) for each in (small, great))
        assert {code for code, each in these.items() if each.severity} <= {
            code for code, each in those.items() if each.severity
        }


def test_the_default_has_a_date_and_is_there() -> None:
    assert presets.DEFAULT in presets.NAMES
    assert presets.dated("recommended") == presets.DEFAULT
    assert presets.dated("recomended") == ""
