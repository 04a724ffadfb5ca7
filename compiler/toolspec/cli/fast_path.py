"""Answers without the application: the version, help, and a compile with nothing to do.

A test counts every module that this imports: the way through the application takes ten times as
long.
"""

from __future__ import annotations

import os
import sys

from toolspec.cli.color import wants_color
from toolspec.driver.cache.record import recall
from toolspec.version import __version__

# `shared.validator.VARIABLE`, whose module is not loaded yet.
_VALIDATOR = "TOOLSPEC_VALIDATOR"
_HELP = f"{os.path.dirname(__file__)}/help.txt"  # noqa: PTH120 - pathlib is not loaded yet
_COMPLETE = "__complete"  # as in `candidates`
_USAGE = 2  # as in `exit_codes`, which is too expensive to import here


def answer() -> int | None:
    """Print the output of this command and return its status, or None if it has to be run."""
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        sys.stdout.write(f"toolspec {__version__}\n")
        return 0
    if not words or words[-1] in {"--help", "-h"}:
        return _help(words)
    if words[0] == _COMPLETE:
        from toolspec.cli.candidates import candidates

        sys.stdout.writelines(f"{name}\n" for name in candidates(words[-1]))
        return 0
    if words[0] != "compile":
        return None
    known = recall(os.getcwd(), key())  # noqa: PTH109 - pathlib is not loaded yet
    if known is None:
        return None
    status, text = known
    sys.stdout.write(text)
    return status


def _help(words: list[str]) -> int | None:
    """Print the help of a command, or the general help as a usage error without a command."""
    from toolspec.driver.cache.help_pages import find_page

    page = find_page(_HELP, ("toolspec", *words[:-1]))
    if page is None:
        return None
    (sys.stdout if words else sys.stderr).write(page)
    return 0 if words else _USAGE


def key() -> str:
    """Return one line with everything, besides files, that decides the output of this command."""
    location = os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    workspace = os.environ.get("GITHUB_WORKSPACE")
    compiler = (__version__, __file__, sys.version, os.environ.get(_VALIDATOR))
    return repr((*compiler, location, workspace, wants_color(sys.stdout), sys.argv[1:]))
