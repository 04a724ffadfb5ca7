"""Names of tools for operations: a verb and what it is about, never cut off."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from toolspec.frontend.naming.collisions import LONGEST
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.importers.legal import tool_name, tool_names
from toolspec.rules.words import VERBS
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.importers.openapi.model import Operation

_SEGMENTS = re.compile(r"[/.:]|__|_")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_NO_WORD = re.compile(r"\W")
_VERSION = re.compile(r"v\d+(\.\d+)*|api|rest", re.IGNORECASE)
_VERB = rf"(?:{'|'.join(sorted(VERBS))})(?![a-z0-9])"
_VERB_PHRASE = re.compile(rf"{_VERB}(?:_(?:or|and)_{_VERB})*")
# Words that a shorter name can do without, the least telling first.
_FILLERS = (
    "a",
    "an",
    "the",
    "of",
    "to",
    "in",
    "on",
    "with",
    "and",
    "by",
    "for",
    "from",
    "all",
    "api",
)


@dataclass(frozen=True, slots=True)
class OperationName:
    """The name of a tool, and the long one that it is short for, or empty."""

    name: str
    long: str = ""


def operation_names(operations: Sequence[Operation], service: str) -> list[OperationName]:
    """Return a unique legal name for each operation of a service."""
    wanted = [_name(operation) for operation in operations]
    counts = Counter(wanted)
    wanted = [
        name if counts[name] == 1 else _from_path(operation)
        for name, operation in zip(wanted, operations, strict=True)
    ]
    full = tool_names([tool_name(name) for name in wanted], service)
    room = LONGEST - len(service) - 1
    short = tool_names([_shorter(name, room) for name in full], "")
    return [
        OperationName(name, long if name != long else "")
        for name, long in zip(short, full, strict=True)
    ]


def is_version_step(step: str) -> bool:
    """Return whether a step of a path says nothing about what an operation is about."""
    return _VERSION.fullmatch(step) is not None


def _name(operation: Operation) -> str:
    text = operation.id
    # The default of FastAPI: the function, the path and the method.
    generated = _NO_WORD.sub("_", operation.path) + f"_{operation.method.lower()}"
    if len(text) > len(generated) and text.endswith(generated):
        text = text.removesuffix(generated)
    segments = [words for part in _SEGMENTS.split(text) if (words := snake_case(part))]
    if not segments:
        return _from_path(operation)
    first, *others = segments
    match = _VERB_PHRASE.match(others[-1]) if others else None
    if match and first.partition("_")[0] not in VERBS:
        rest = others[-1][match.end() :].strip("_")
        return "_".join(word for word in (match[0], first, *others[:-1], rest) if word)
    return "_".join(segments)


def _from_path(operation: Operation) -> str:
    """Return a name made of the method, the words of the path, and the parameters at its end."""
    steps = [step for step in operation.path.split("/") if step]
    while len(steps) > 1 and is_version_step(steps[0]):
        steps.pop(0)
    words = [snake_case(_PLACEHOLDER.sub("", step)) for step in steps]
    last = _PLACEHOLDER.findall(steps[-1]) if steps else []
    named = f"by_{snake_case('_'.join(last))}" if last else ""
    return "_".join(word for word in (operation.method.lower(), *words, named) if word)


def _shorter(name: str, room: int) -> str:
    """Return a name that fits, with whole words: without fillers, repeated words, then inner ones."""
    words = name.split("_")
    for drop in (*_FILLERS, None):
        if len("_".join(words)) <= room:
            break
        words = list(_without(words, drop))
    while len("_".join(words)) > room and len(words) > 1:
        del words[1 if len(words) > 2 else 0]  # noqa: PLR2004 - the verb and the last words tell most
    return "_".join(words)


def _without(words: list[str], drop: str | None) -> Iterable[str]:
    """Return words without one, or without repeated ones."""
    if drop is None:
        return dict.fromkeys(words)
    return (word for word in words if word != drop)
