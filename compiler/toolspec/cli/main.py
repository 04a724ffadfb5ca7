"""Entry point of the command: tries the fast path, then runs the application."""

from __future__ import annotations

import gc
import io
import os
import sys

from toolspec.cli.fast_path import answer
from toolspec.version import __version__

# Number of new objects that starts a search for reference cycles.
GARBAGE = 10_000_000
# As in `exit_codes`, which is too expensive to import here.
_USAGE, _INTERRUPTED = 2, 130
_REFUSALS = (
    *("EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"),
    *("ENAMETOOLONG", "EIO", "EMFILE", "ENFILE"),
)
"""Errors of the system with a path that are no bug; not all systems have all of them."""


def main() -> None:
    """Run the command line of this process and exit with its status."""
    _open_streams()
    # Objects of a build live to its end without cycles; searching for them took a fifth of its time.
    gc.set_threshold(GARBAGE)
    try:
        _run()
    except KeyboardInterrupt:
        from contextlib import suppress

        with suppress(OSError):
            sys.stdout.flush()
        # Finalizing the interpreter would wait for the thread of a pool whose workers were killed.
        os._exit(_INTERRUPTED)
    except BrokenPipeError:
        os._exit(1)  # the reader closed the pipe; flushing the rest would fail again
    except Exception as error:  # noqa: BLE001 - a traceback is never shown to a person
        if isinstance(error, OSError) and (reason := _unwritable()):
            sys.stderr.write(f"toolspec: the standard output cannot be written: {reason}\n")
            os._exit(_USAGE)  # as above
        if isinstance(error, OSError) and (problem := _refusal(error)):
            sys.stderr.write(f"toolspec: {problem}\n")
            sys.exit(_USAGE)
        sys.exit(_internal_error(error))


def _open_streams() -> None:
    """Replace streams by ones that encode every text; a closed one discards it."""
    # A pipe or terminal may lack a character that a document quotes: escape it instead of failing.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for good


def _run() -> None:
    """Run the command line; exits the process if the application does."""
    status = answer()
    if status is None:
        from toolspec.cli import command_line

        status = command_line.run(sys.argv[1:])
    if status is not None:
        sys.stdout.flush()
        os._exit(status)  # finalizing the interpreter would double the time of an answer
    from toolspec.cli.app import app

    try:
        # Paths are used as typed on every system: the workspace expands globs.
        app(prog_name="toolspec", windows_expand_args=False)
    finally:
        sys.stdout.flush()


def _unwritable() -> str:
    """Return why stdout cannot be written, such as a full disk, or an empty text."""
    try:
        sys.stdout.write("\n")  # without a buffer, nothing that failed would be left to flush
        sys.stdout.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _refusal(error: OSError) -> str:
    """Return why the system refused a path, or an empty text for an error that is a bug."""
    import errno

    from toolspec.sinks.terminal import printable

    is_refused = errno.errorcode.get(error.errno or 0) in _REFUSALS and error.filename
    return printable(f"`{error.filename}` cannot be used: {error.strerror}") if is_refused else ""


def _internal_error(error: Exception) -> int:
    """Print one line about a compiler bug, log the details to a file, and return the status."""
    import tempfile
    import traceback

    from toolspec.cli.exit_codes import Exit

    frames = traceback.extract_tb(error.__traceback__)
    location = f" in {frames[-1].name}" if frames else ""
    with tempfile.NamedTemporaryFile(
        "w", prefix="toolspec-report-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(f"toolspec {__version__}, Python {sys.version}\n")
        file.write("".join(traceback.format_exception(error)))
    sys.stderr.write(
        f"toolspec: internal error: {type(error).__name__}{location}; "
        f"this is a bug, please report it with {file.name}\n"
    )
    return Exit.INTERNAL
