"""Presets: dated files with the severity of each rule. A released preset never changes."""

from __future__ import annotations

import json
from functools import cache

from toolspec.diagnostics import Severity
from toolspec.rules.selection import Setting
from toolspec.shared.packages import read_data

DEFAULT = "recommended-2026-11"
OFF = "off"
# Sorted; the newest preset of a kind comes last.
NAMES = ("core-2026-11", "recommended-2026-11", "strict-2026-11")
_DATE = "-2026-11"


def dated(name: str) -> str:
    """Return the newest preset of a name without its date, or an empty text."""
    return max((preset for preset in NAMES if preset[: -len(_DATE)] == name), default="")


@cache
def settings(name: str) -> dict[str, Setting]:
    """Return the setting of each code in a preset. Raises OSError if there is no such preset."""
    preset = json.loads(read_data(__name__, f"{name}.json"))
    return {
        code: Setting(None if weight == OFF else Severity(weight), set_by=f"preset {name}")
        for code, weight in preset["rules"].items()
    }
