"""Fast path around the application: version, help, completion, and commands with nothing to do.

A compile with nothing to do takes a tenth of the time that importing the application takes: a test
counts every module that this one imports.
"""

from __future__ import annotations

import os
import sys

from toolspec.cli.color import wants_color
from toolspec.driver.incremental.last_compile import load_record
from toolspec.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# `shared.validator.VARIABLE`, whose module is not loaded yet.
_VALIDATOR = "TOOLSPEC_VALIDATOR"
_HELP = f"{os.path.dirname(__file__)}/help.txt"  # noqa: PTH120 - pathlib is not loaded yet
_COMPLETE = "__complete"  # as in `candidates`
END_OF_PAGE = "\f\n"
_USAGE = 2  # as in `exit_codes`, which is too expensive to import here


def answer() -> int | None:
    """Print the output of this command and return its status, or None if the command has to run."""
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
    if words[0] == "diff":
        return _unchanged(words[1:])
    return _compiled() if words[0] == "compile" else None


def _compiled() -> int | None:
    """Print the output of the last compile, or return None if something has changed since."""
    cached = load_record(os.getcwd(), key())  # noqa: PTH109 - pathlib is not loaded yet
    if cached is None:
        return None
    status, text = cached
    sys.stdout.write(text)
    return status


def _unchanged(words: list[str]) -> int | None:
    """Print that a revision has the documents of this folder, or return None if it may have others."""
    if len(words) != 2 or words[0] != "--against":  # noqa: PLR2004 - the option and its value
        return None
    from toolspec.driver.contract.unchanged import is_unchanged

    if not is_unchanged(words[1], os.getcwd()):  # noqa: PTH109 - pathlib is not loaded yet
        return None
    sys.stdout.write("no changes\n")
    return 0


def _help(words: list[str]) -> int | None:
    """Print the help of a command, or the general help as a usage error without a command."""
    page = find_page(_HELP, ("toolspec", *words[:-1]))
    if page is None:
        return None
    (sys.stdout if words else sys.stderr).write(page)
    return 0 if words else _USAGE


def find_page(path: str, words: Sequence[str]) -> str | None:
    """Return the help page of a file whose usage begins with words, or None."""
    usage = " ".join(("Usage:", *words, "[OPTIONS]"))
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib is not loaded yet
            pages = file.read().split(END_OF_PAGE)
    except (OSError, ValueError):
        return None
    return next((page for page in pages if page.startswith(usage)), None)


def key() -> str:
    """Return one line with everything, besides files, that decides the output of this command."""
    location = os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    workspace = os.environ.get("GITHUB_WORKSPACE")
    compiler = (__version__, __file__, sys.version, os.environ.get(_VALIDATOR))
    return repr((*compiler, location, workspace, wants_color(sys.stdout), sys.argv[1:]))
