"""Objects of the user named as `module:object`, with a sentence for whatever keeps one from being found."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.faults import ServeError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

_OURS = str(Path(__file__).parents[1])
_IMPORTERS = (os.path.join("importlib", ""), "<frozen importlib")  # noqa: PTH118 - a part of a path


def find_object(reference: str, example: str) -> object:
    """Return the object that `module:object` names; the current folder is looked in first.

    Complains (ServeError) of each thing that can be wrong, with the nearest name or the user's own
    line; `example` is how a right reference looks.
    """
    module_name, colon, attributes = reference.partition(":")
    if not colon or not module_name or not attributes:
        problem = f"`{reference}` names no object: write `module:object`, such as `{example}`"
        raise ServeError(problem)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    found: object = _imported(module_name)
    for name in attributes.split("."):
        if not hasattr(found, name):
            public = [each for each in dir(found) if not each.startswith("__")]
            what = f"`{module_name}` has no `{name}`{nearest(name, public)}"
            raise ServeError(what)
        found = getattr(found, name)
    return found


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name is not None and (
            name == problem.name or name.startswith(f"{problem.name}.")
        ):
            hint = nearest(name, list(_modules_beside()))
            text = f"there is no module `{name}` in {Path.cwd()} or on Python's path{hint}"
            raise ServeError(text) from None
        raise _broken(name, problem) from problem
    except (Exception, SystemExit) as problem:
        raise _broken(name, problem) from problem


def _modules_beside() -> Iterable[str]:
    return (each.stem for each in Path.cwd().iterdir() if each.suffix == ".py" or each.is_dir())


def _broken(name: str, problem: BaseException) -> ServeError:
    """Return the fault for a module that raises: what, and the last line of it that is the user's."""
    what = f"{type(problem).__name__}: {problem}"
    return ServeError(f"importing `{name}` failed: {what}", users_line(problem))


def users_line(problem: BaseException) -> tuple[str, ...]:
    """Return where an exception came from, as `file:line` and the line itself."""
    if isinstance(problem, SyntaxError) and problem.filename is not None:
        return (f"{problem.filename}:{problem.lineno}: {(problem.text or '').strip()}",)
    frames = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if not any(part in frame.filename for part in _IMPORTERS)
    ]
    own = [frame for frame in frames if not _is_installed(frame.filename)] or frames
    return tuple(f"{each.filename}:{each.lineno}: {each.line}" for each in own[-1:])


def _is_installed(filename: str) -> bool:
    return "site-packages" in filename or filename.startswith((_OURS, sys.prefix, sys.base_prefix))
