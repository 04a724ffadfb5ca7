"""Effects of an operation, from its method, its extensions and the user's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.importers.openapi import kinds
from toolspec.rules.words import READING

if TYPE_CHECKING:
    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Operation
    from toolspec.importers.openapi.selection import Selection
    from toolspec.syntax.nodes import JsonObject

_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "QUERY"})
_IDEMPOTENT = frozenset({"PUT", "DELETE"})
_READING = READING | {"preview", "validate", "verify", "test", "calculate", "estimate", "resolve"}
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_EXTENSIONS = ("x-mcp-annotations", "x-speakeasy-mcp")


def set_effects(draft: Draft, operation: Operation, name: str, selection: Selection) -> None:
    """Set `mutation` and the annotations that differ from those that follow from it."""
    hints = _stated(operation)
    effects = selection.effects(operation)
    if effects & {"read", "write", "destructive"}:
        hints["readOnlyHint"] = "read" in effects
        hints["destructiveHint"] = "destructive" in effects
    if "idempotent" in effects:
        hints["idempotentHint"] = True
    reads = hints.pop("readOnlyHint", None)
    if reads is None and "destructiveHint" in hints and operation.method not in _SAFE:
        reads = False
    if reads is None:
        reads = operation.method in _SAFE
        if operation.method in _IDEMPOTENT:
            hints.setdefault("idempotentHint", True)
        if operation.method == "POST":
            _review(draft, operation, name)
    draft.fields["mutation"] = not reads
    derived = {"destructiveHint": not reads, "idempotentHint": reads, "openWorldHint": True}
    if reads:
        hints.pop("destructiveHint", None)
        hints.pop("idempotentHint", None)
    annotations: JsonObject = {key: hints[key] for key in _HINTS if key in hints}
    annotations = {key: hint for key, hint in annotations.items() if hint != derived[key]}
    if annotations:
        draft.put("annotations", annotations)


def _stated(operation: Operation) -> dict[str, bool]:
    """Return the hints that extensions of the document state."""
    hints: dict[str, bool] = {}
    consequential = operation.extension("x-openai-isConsequential")
    if isinstance(consequential, bool) and operation.method not in _SAFE:
        hints["destructiveHint"] = consequential
    for name in _EXTENSIONS:
        extension = operation.extension(name)
        if isinstance(extension, dict):
            hints |= {
                hint: extension[hint] for hint in _HINTS if isinstance(extension.get(hint), bool)
            }
    return hints


def _review(draft: Draft, operation: Operation, name: str) -> None:
    """Ask about a POST; one that seems to read is asked about, and never taken to."""
    words = name.split("_")
    creates = any(status.startswith("201") for status in operation.responses)
    if not creates and not _READING.isdisjoint(
        (words[0], operation.path.rpartition("/")[2].lower())
    ):
        comment = "review: a POST that seems to read; `false` if it changes nothing"
        reason, suggestion = (
            "its name says that it reads",
            "write `mutation: false` if it only reads",
        )
    else:
        comment = "review: a POST, taken to be destructive; see `annotations.destructiveHint`"
        reason = "nothing states what the POST does"
        suggestion = "write `annotations: {destructiveHint: false}` if it only adds"
    draft.comments["mutation"] = comment
    draft.report(
        kinds.EFFECT_GUESSED,
        tool=name,
        effect="destructive",
        reason=reason,
        suggestion=suggestion,
    )
