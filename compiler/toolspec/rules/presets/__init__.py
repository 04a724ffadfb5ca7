"""Dated sets of rules as data: what a rule weighs, or that it is off. None changes once it is released."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from toolspec.diagnostics import Severity
from toolspec.rules.selection import Setting

DEFAULT = "recommended-2026-11"
OFF = "off"
_DATE = "-2026-11"
_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """Return the names of all presets, sorted, so that the newest of a kind is its last."""
    return tuple(sorted(each.stem for each in _FOLDER.glob("*.json")))


def dated(name: str) -> str:
    """Return the newest preset that a name without a date stands for; empty where it stands for none."""
    return max((each for each in names() if each[: -len(_DATE)] == name), default="")


@cache
def settings(name: str) -> dict[str, Setting]:
    """Return what a preset says of each code. Raises FileNotFoundError for one that does not exist."""
    text = (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
    return {
        code: Setting(None if weight == OFF else Severity(weight), set_by=f"preset {name}")
        for code, weight in json.loads(text)["rules"].items()
    }
