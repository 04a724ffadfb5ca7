"""A limit on the time of a call is shorter."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the `{name}` limit of `{tool}` is {after} now, and was {before}",
    "change the limit back, or stream progress, which restarts `idle`",
    mirror="timeout-raised",
    callers="risk",
    handlers="break",
    operators="risk",
)
FACT = "timeout"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the limits; null is no limit."""
    for name in ("idle", "total"):
        before, after = _seconds(old, name), _seconds(new, name)
        if before > after:
            yield {"name": name, "before": _shown(before), "after": _shown(after)}


def _seconds(value: JsonValue, name: str) -> float:
    seconds = value.get(name) if isinstance(value, dict) else None
    return float(seconds) if isinstance(seconds, (int, float)) else float("inf")


def _shown(seconds: float) -> str:
    return "none" if seconds == float("inf") else f"{seconds:g} s"
