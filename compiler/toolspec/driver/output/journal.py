"""The journal of a compile: files still to be moved into place or removed."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from toolspec.driver.output.paths import is_safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.output.changes import Change
    from toolspec.syntax.nodes import JsonValue

VERSION: Final = 1
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Step:
    """One file: digests of its old and its new content (None: no file).

    The new content is in the stage under the number of the step. `keeps` asks to rename the old
    file first.
    """

    path: str
    before: str | None
    after: str | None
    keeps: bool


def steps_of(changes: Iterable[Change]) -> tuple[Step, ...]:
    """Return the steps for some changes."""
    return tuple(Step(each.path, each.before, each.after, each.keeps) for each in changes)


def render(steps: Iterable[Step]) -> str:
    """Return the text of a journal."""
    return json.dumps({"journal": VERSION, "steps": [asdict(step) for step in steps]}) + "\n"


def parse(data: bytes) -> tuple[Step, ...] | None:
    """Return the steps of a journal, or None for anything that the compiler would not write.

    A journal may come with a repository, so its paths are checked like those of a target.
    """
    try:
        value: JsonValue = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match value:
        case {"journal": 1, "steps": list(items)}:
            steps = tuple(_step(item) for item in items)
            known = tuple(step for step in steps if step is not None)
            return known if len(known) == len(steps) else None
    return None


def _step(value: JsonValue) -> Step | None:
    match value:
        case {"path": str(path), "before": before, "after": after, "keeps": bool(keeps)} if (
            is_safe(path) and _is_digest(before) and _is_digest(after)
        ):
            return Step(path, _text(before), _text(after), keeps)
    return None


def _is_digest(value: JsonValue) -> bool:
    return value is None or (isinstance(value, str) and _DIGEST.fullmatch(value) is not None)


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None
