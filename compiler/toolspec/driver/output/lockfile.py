"""`toolspec.lock.json`: the files of the output folder that the compiler wrote.

It is committed beside the output. It has one line for each file, sorted, without times and absolute
paths, so that two branches merge where their changes do.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from toolspec.driver.output.paths import LOCK, is_safe
from toolspec.shared.records import dataclass
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonValue

VERSION: Final = 1
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of a file: its target and the SHA-256 of the written bytes."""

    target: str
    sha256: str


def render(entries: Mapping[str, Entry]) -> str:
    """Return the text of the lock; `schemas/lock.v1.schema.json` is its contract."""
    lines = [
        f"    {_text(path)}: {{{_text('target')}: {_text(entry.target)}, "
        f'"sha256": "{entry.sha256}"}}'
        for path, entry in sorted(entries.items())
    ]
    files = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
    generator = f'{{"name": "toolspec", "version": {_text(__version__)}}}'
    return f'{{\n  "lock": {VERSION},\n  "generator": {generator},\n  "files": {files}\n}}\n'


def parse(text: str) -> dict[str, Entry]:
    """Return the entries of a lock. Raises ValueError, with the reason, for anything else."""
    try:
        value: JsonValue = json.loads(text)
    except RecursionError:
        value = None
    if not isinstance(value, dict) or value.get("lock") != VERSION:
        message = f"it is not a lock of version {VERSION}"
        raise ValueError(message)
    files = value.get("files")
    if not isinstance(files, dict):
        message = "`files` is not an object"
        raise ValueError(message)  # noqa: TRY004 - one exception for whatever is wrong with the text
    return {path: _entry(path, file) for path, file in files.items()}


def _entry(path: str, value: JsonValue) -> Entry:
    match value:
        case {"target": str(target), "sha256": str(sha256)} if (
            _DIGEST.fullmatch(sha256) and is_safe(path) and path != LOCK
        ):
            return Entry(target, sha256)
    message = f"the entry `{path}` is not valid"
    raise ValueError(message)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
