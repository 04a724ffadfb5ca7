"""Proofs that every value of a sender is valid for a receiver, or a witness that one is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolspec.changes.change import Proof, Verdict
from toolspec.changes.nodes import asserted
from toolspec.changes.structural import is_contained
from toolspec.changes.witness import find_witnesses
from toolspec.shared.canonical import canonical_json
from toolspec.shared.containment import Answer, Engine, covers, is_available
from toolspec.shared.processes import can_start_processes
from toolspec.shared.validator import InvalidSchemaError, compiled

if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonValue

_IN_PROCESS = 400
_IN_CHILD = 20_000
_SECONDS = 1
_MULTIPLIES = ("anyOf", "oneOf")


class Decision(NamedTuple):
    """A proof, and all witnesses that were found, the smallest first."""

    proof: Proof
    witnesses: tuple[str, ...] = ()


class Prover:
    """Decides questions about pairs of schemas, each once, within limits of complexity and of time.

    Without `is_timed` no answer depends on the time: questions for the child process stay open.
    """

    def __init__(self, *, is_timed: bool = True) -> None:
        self._is_timed = is_timed and can_start_processes()
        self._engine = Engine(_SECONDS)
        self._decisions: dict[tuple[str, str, bool], Decision] = {}

    def close(self) -> None:
        """End the child process."""
        self._engine.close()

    def decide(self, sender: JsonValue, receiver: JsonValue, *, formats: bool) -> Decision:
        """Return whether every value of the sender's schema is valid for the receiver's."""
        key = canonical_json(sender), canonical_json(receiver), formats
        if key not in self._decisions:
            self._decisions[key] = self._decide(sender, receiver, formats=formats)
        return self._decisions[key]

    def _decide(self, sender: JsonValue, receiver: JsonValue, *, formats: bool) -> Decision:
        try:
            accepts = compiled(sender, formats=formats)
            receives = compiled(receiver, formats=formats)
        except InvalidSchemaError:
            return Decision(Proof(Verdict.NOT_PROVED, reason="an invalid schema"))
        cost = complexity(sender) + complexity(receiver)
        is_small = is_available() and cost <= _IN_PROCESS
        if is_contained(sender, receiver, formats=formats) or (
            is_small and covers(receiver, sender, formats=formats) is Answer.YES
        ):
            return Decision(Proof(Verdict.SAFE))
        witnesses = find_witnesses(sender, receiver, accepts, receives)
        if witnesses:
            return Decision(Proof(Verdict.BREAKING, witnesses[0]), tuple(witnesses))
        if self._is_timed and is_available() and _IN_PROCESS < cost <= _IN_CHILD:
            answer = self._engine.covers(receiver, sender, formats=formats)
            if answer is Answer.YES:
                return Decision(Proof(Verdict.SAFE))
            if answer is Answer.EXPIRED:
                return Decision(Proof(Verdict.EXPIRED, reason="the limit of time"))
        return Decision(Proof(Verdict.NOT_PROVED, reason=_in_the_way(sender, receiver, cost)))


def complexity(schema: JsonValue) -> int:
    """Return a bound on the work of a proof: nodes, times the choices squared."""
    nodes, choices = 0, 1
    waiting: list[JsonValue] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            nodes += 1
            for keyword in _MULTIPLIES:
                branches = node.get(keyword)
                choices *= max(1, len(branches)) if isinstance(branches, list) else 1
            choices = min(choices, _IN_CHILD)
            values = node.get("enum")
            nodes += len(values) // 4 if isinstance(values, list) else 0
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return nodes * choices * choices


def _in_the_way(sender: JsonValue, receiver: JsonValue, cost: int) -> str:
    """Return the keywords for which the engine has no answer."""
    if not is_available():
        return "a platform without the engine of proofs"
    if cost > _IN_CHILD:
        return "the size of the schema"
    found = asserted(receiver) if isinstance(receiver, dict) else {}
    own = asserted(sender) if isinstance(sender, dict) else {}
    names = [name for name in found if name != "$defs" and found[name] != own.get(name)]
    return ", ".join(f"`{name}`" for name in names or found) or "the schema"
