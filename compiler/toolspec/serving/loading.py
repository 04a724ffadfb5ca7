"""Code that is not ours, while it is found, loaded and made: what it raises is told as one fault."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.faults import ServeError

if TYPE_CHECKING:
    from collections.abc import Iterator

_OURS = str(Path(__file__).parents[1])
_IMPORTERS = (os.path.join("importlib", ""), "<frozen importlib")  # noqa: PTH118 - a part of a path


@contextmanager
def foreign_code(failure: str, *advice: str) -> Iterator[None]:
    """Run a block in which code of the user's runs, or code that was generated for them.

    Whatever it raises, `sys.exit` included, becomes a ServeError: the failure, what was raised, the
    user's own line where it has one, and what to do. Ctrl-C stays what it is.
    """
    try:
        yield
    except (ServeError, KeyboardInterrupt):
        raise
    except BaseException as problem:
        what, *more = _said(problem)
        raise ServeError(f"{failure}: {what}", (*more, *_line(problem), *advice)) from problem  # noqa: EM102, TRY003 - one place


def _said(problem: BaseException) -> list[str]:
    """Return the lines of an exception, its type before the first of them."""
    try:
        text = str(problem)
    except Exception:  # noqa: BLE001 - its author's mistake, beside the one that is told
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [": ".join((type(problem).__name__, *lines[:1])), *lines[1:]]


def _line(problem: BaseException) -> tuple[str, ...]:
    """Return where an exception came from, as `file:line` and the line itself.

    The last line that is the user's, else one of a library; none that is ours or the importer's.
    """
    if isinstance(problem, SyntaxError) and problem.filename is not None:
        return (f"{problem.filename}:{problem.lineno}: {(problem.text or '').strip()}",)
    frames = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if not frame.filename.startswith(_OURS)
        and not any(part in frame.filename for part in _IMPORTERS)
    ]
    own = [frame for frame in frames if not _is_installed(frame.filename)] or frames
    return tuple(f"{each.filename}:{each.lineno}: {each.line}" for each in own[-1:])


def _is_installed(filename: str) -> bool:
    return "site-packages" in filename or filename.startswith((sys.prefix, sys.base_prefix))
