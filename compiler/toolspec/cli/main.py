"""The front door of the command: answers the cheap questions, hands the others to the application."""

from __future__ import annotations

import gc
import io
import os
import sys

from toolspec.cli.front import answer
from toolspec.version import __version__

# So many objects more than were freed, before cycles are looked for again.
GARBAGE = 1_000_000
# As in `exit_codes`, which loads more than an answer may cost.
_USAGE, _INTERRUPTED = 2, 130


def main() -> None:
    """Run the command line of this process and exit with its status."""
    _open_streams()
    # What a build makes lives to its end and holds no cycles: looking for them took a fifth of it.
    gc.set_threshold(GARBAGE)
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        os._exit(1)  # whoever read had enough; what is still held back would fail once more
    except Exception as error:  # noqa: BLE001 - a traceback is never shown to a person
        if isinstance(error, OSError) and (reason := _unwritable()):
            sys.stderr.write(f"toolspec: the standard output cannot be written: {reason}\n")
            os._exit(_USAGE)  # the same
        sys.exit(_internal_error(error))


def _open_streams() -> None:
    """Make streams that take every text; one that the caller has closed leads nowhere."""
    # A pipe or terminal may not know a letter that a document quotes: it is spelt out, never an error.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for good


def _run() -> None:
    """Do what the command line asks for; exits where the application does it."""
    status = answer()
    if status is None:
        from toolspec.cli.direct import run

        status = run(sys.argv[1:])
    if status is not None:
        sys.stdout.flush()
        os._exit(status)  # taking the interpreter down would double what an answer cost
    from toolspec.cli.app import app

    try:
        # Paths are taken as they were typed, on every system: globs are the workspace's to expand.
        app(prog_name="toolspec", windows_expand_args=False)
    finally:
        sys.stdout.flush()


def _unwritable() -> str:
    """Return why the standard output takes no line more, such as a full disk; nothing where it does."""
    try:
        sys.stdout.write(
            "\n"
        )  # without a buffer, nothing of what failed would be left to try again
        sys.stdout.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _internal_error(error: Exception) -> int:
    """Say in one line that the mistake is ours, keep the rest in a file, and return the exit status."""
    import tempfile
    import traceback

    from toolspec.cli.exit_codes import Exit

    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}" if frames else ""
    with tempfile.NamedTemporaryFile(
        "w", prefix="toolspec-report-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(f"toolspec {__version__}, Python {sys.version}\n")
        file.write("".join(traceback.format_exception(error)))
    sys.stderr.write(
        f"toolspec: internal error: {type(error).__name__}{place}; "
        f"this is our mistake, please report it with {file.name}\n"
    )
    return Exit.INTERNAL
