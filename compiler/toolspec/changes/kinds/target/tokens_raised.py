"""A tool costs many more tokens."""

from toolspec.changes.api import Found, JsonObject, JsonValue, declare
from toolspec.changes.lowered import listed, pairs
from toolspec.shared.canonical import canonical_json
from toolspec.shared.tokens import tokens

KIND = declare(
    __name__,
    "`{tool}` costs about {after} tokens{targets}, and cost {before}",
    "shorten the descriptions, or split the tool",
    models="risk",
    operators="risk",
)
FACT = ""
NEEDS = ("description", "input")

_GROWTH = 1.2
_LEAST = 100
_BUDGET = 2000


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the largest size that grew by more than a fifth, or that went above the budget."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    sizes = {
        target: (_tokens(before), _tokens(after))
        for target, before, after in pairs(old.get("lowered"), new.get("lowered"))
    } or {"": (_estimate(old), _estimate(new))}
    raised = [target for target, size in sizes.items() if _is_raised(*size)]
    if raised:
        before, after = max((sizes[target] for target in raised), key=lambda size: size[1])
        targets = f" for {listed(raised)}" if raised[0] else ""
        yield {"before": before, "after": after, "targets": targets}


def _is_raised(before: int, after: int) -> bool:
    is_much = after > before * _GROWTH and after - before >= _LEAST
    return is_much or before <= _BUDGET < after


def _tokens(lowered: JsonObject) -> int:
    count = lowered.get("tokens")
    return count if isinstance(count, int) else 0


def _estimate(facts: JsonObject) -> int:
    return tokens(f"{facts.get('description')}{canonical_json(facts.get('input'))}")
