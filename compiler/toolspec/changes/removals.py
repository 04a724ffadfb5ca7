"""Removal of tools: whether the deprecation gave callers the announced time, and enough of it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from toolspec.changes.versions import is_lower
from toolspec.shared.days import days_between, is_day
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.shared.json_values import JsonObject


@dataclass(frozen=True, slots=True)
class RemovalTerms:
    """When deprecated tools may be removed.

    `today` is the day of the comparison, empty for the current one. `days` is the minimum number of
    days from deprecation to removal. `deprecated_on` has the days on which deprecations were
    accepted, by tool; for others the day is that of `deprecated.since`.
    """

    today: str = ""
    days: int = 0
    deprecated_on: Mapping[str, str] = field(default_factory=dict)


def removal(
    tool: str, deprecation: JsonObject, version: str, terms: RemovalTerms
) -> tuple[str, JsonObject]:
    """Return the code and values of the removal of a deprecated tool.

    `version` is that of its service now, empty if the service is gone.
    """
    today = terms.today or date.today().isoformat()  # noqa: DTZ011 - a day of the user's calendar
    announced = str(deprecation.get("remove", ""))
    if announced:
        now = today if is_day(announced) else version
        if not now or is_lower(now, announced):
            return "lifecycle/removed-early", {"announced": announced}
    if terms.days:
        since = terms.deprecated_on.get(tool) or str(deprecation.get("since", ""))
        passed = days_between(since, today) if is_day(since) else None
        if passed is None or passed < terms.days:
            shown = "on an unknown day" if passed is None else f"{passed} days before, on {since}"
            return "lifecycle/deprecation-too-short", {"deprecated": shown, "days": terms.days}
    return "tool/deprecated-removed", {}
