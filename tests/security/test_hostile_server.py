"""`toolspec call` against MCP servers that mean harm: it ends, says why, and agrees to nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import inertness
import pytest
from forkserver import toolspec
from sampling import sampled
from toolspec.cli.arguments import arguments_of
from toolspec.runtime.errors import ToolError

TOOLSPEC = toolspec()
SERVER = Path(__file__).parent / "hostile_server.py"


def call(mode: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [TOOLSPEC, "call", "t", *words, "--stdio", f"{sys.executable} {SERVER} {mode}"]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )


@pytest.mark.parametrize(
    ("mode", "said"),
    sampled(
        [
            ("no-properties", "bad_schema"),
            ("far-reference", "bad_schema"),
            ("no-pattern", "bad_schema"),
            ("endless", "bad_schema"),
            ("doubled", "too complex"),
            ("doubled-aside", "bad_schema"),
            ("doubled-output", "too complex"),
            ("endless-list", "endless_list"),
        ],
        2,
        rows=True,
    ),
)
def test_what_a_server_lists_is_refused_in_one_sentence(mode: str, said: str) -> None:
    done = call(mode, "x=1")
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert list(inertness.terminal_faults(done.stderr)) == []


@pytest.mark.parametrize(("mode", "result"), [("deep-text", "[" * 100_000), ("deep-chunk", 1)])
def test_json_too_deep_to_be_read_stays_text(mode: str, result: object) -> None:
    done = call(mode)
    assert done.returncode == 0, done.stderr[-500:]
    assert json.loads(done.stdout) == result
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("mode", sampled(["silent-start", "silent-list", "silent-call"], 1))
def test_a_request_that_is_never_answered_ends(mode: str) -> None:
    done = call(mode, "--timeout", "0.5")
    assert (done.returncode, done.stdout) == (1, "")
    assert "sent nothing for 0.5 seconds" in done.stderr


@pytest.mark.prove
def test_a_server_that_tells_of_its_progress_has_time() -> None:
    assert call("slow-call", "--timeout", "4").returncode == 0


def test_nobody_is_taken_to_have_said_yes_to_what_nobody_was_asked() -> None:
    assert json.loads(call("asks").stdout) == "decline"
    assert json.loads(call("asks", "--yes").stdout) == "accept"


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_error_can_steer_nothing_and_make_nobody_wait(form: str) -> None:
    done = call("errors", "--format", form)
    assert done.returncode == 1
    assert list(inertness.terminal_faults(done.stderr)) == []
    assert not [line for line in done.stderr.splitlines() if line.lstrip().startswith("::")]


def test_words_are_read_by_a_schema_that_refers_to_itself_many_times() -> None:
    schema = {"allOf": [{"$ref": "#"}] * 8, "properties": {"n": {"type": "integer"}}}
    assert arguments_of(["n=1", "text=a"], schema, {}).arguments == {"n": 1, "text": "a"}
    chain = {f"s{each}": {"$ref": f"#/$defs/s{each + 1}"} for each in range(5000)}
    long = {"$ref": "#/$defs/s0", "$defs": {**chain, "s5000": {"properties": schema["properties"]}}}
    assert arguments_of(["n=x"], long, {}).problems == ("`n` must be integer, not `x`",)


@pytest.mark.parametrize("argument", [["--json", "[" * 5000], ["n:=" + "[" * 5000]])
def test_arguments_too_deep_to_be_read_are_a_mistake_of_usage(argument: list[str]) -> None:
    done = call("plain", *argument)
    assert done.returncode == 2
    assert "JSON" in done.stderr


@pytest.mark.parametrize("wait", [-1, 10**400, True, "1"])
def test_an_odd_wait_is_none(wait: object) -> None:
    error = ToolError.from_wire({"error": {"code": "a\nb", "retry_after_ms": wait}})  # type: ignore[dict-item]  # from outside
    assert (error.retry_after_ms, error.code) == (None, "a b")


def test_no_part_of_an_error_breaks_its_line() -> None:
    error = ToolError("a\nb", "c\x9bd").sent("e\u2028f", retryable=False)
    assert str(error) == "c d (a b, request e f)"
