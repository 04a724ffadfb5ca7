"""The log of a server: texts of callers begin no record of their own and steer no terminal."""

from __future__ import annotations

import logging
import subprocess
import sys

from inertness import terminal_faults
from toolspec.serving.log import OneLine

BAD = "a\x1b[2J\nERROR toolspec: forged\r\u202eb\u2028c\ud800"


def logged(*, with_exception: bool) -> str:
    problem = ValueError(BAD)
    info = (ValueError, problem, None) if with_exception else None
    record = logging.LogRecord("toolspec", logging.ERROR, "", 1, "said %s", (BAD,), info)
    record.stack_info = BAD if with_exception else None
    return OneLine("%(levelname)s %(name)s: %(message)s").format(record)


def test_a_record_is_one_line() -> None:
    line = logged(with_exception=False)
    assert line == (r"ERROR toolspec: said a\x1b[2J\nERROR toolspec: forged\r\u202eb\u2028c\ud800")


def test_a_record_ends_with_its_text() -> None:
    record = logging.LogRecord("uvicorn", logging.ERROR, "", 1, "no socket\r\n", (), None)
    assert OneLine("%(message)s").format(record) == "no socket"


def test_all_that_follows_a_record_is_indented() -> None:
    text = logged(with_exception=True)
    first, *rest = text.split("\n")
    assert first.startswith("ERROR toolspec: said")
    assert all(each.startswith("  ") for each in rest)
    assert any("ERROR toolspec: forged" in each for each in rest)
    assert list(terminal_faults(text)) == []


def test_a_server_writes_its_log_so_to_stderr() -> None:
    code = (
        "import logging; from toolspec.serving.log import log_to_stderr; log_to_stderr();"
        "logging.getLogger('toolspec').warning('a\\x1b\\nb')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "WARNING toolspec: a\\x1b\\nb\n")


def test_a_line_needs_no_free_descriptor() -> None:
    """The first `unicode_escape` of a process imports a module, from a file."""
    program = (
        "import logging, resource\n"
        "from toolspec.serving.log import log_to_stderr\n"
        "log_to_stderr()\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "logging.warning('one\\ntwo')\n"
    )
    command = [sys.executable, "-c", program]
    logged = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert logged == "WARNING root: one\\ntwo\n"
