"""`toolspec call` as a person and as a script use it: in process, over stdio and over HTTP."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_project import TOOLSPEC, make_project
from sampling import sampled

OWN = ("--handlers", "app:Desk")
SERVER = shlex.join([*TOOLSPEC, "serve", *OWN])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from make_project(tmp_path_factory.mktemp("verb"), "verb_desk")


def call(project: Path, *words: str, given: str | bytes = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [*TOOLSPEC, "call", *words],
        cwd=project,
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), quiet(done.stderr.decode())


def quiet(err: str) -> str:
    """What is on stderr but for what a server says of its approvals."""
    lines = err.splitlines(keepends=True)
    return "".join(each for each in lines if not each.startswith("toolspec: approval: "))


@pytest.fixture(params=["in process", pytest.param("stdio", marks=pytest.mark.prove)])
def where(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return OWN if request.param == "in process" else ("--stdio", SERVER)


def test_a_result_is_json_on_stdout(project: Path, where: tuple[str, ...]) -> None:
    assert call(project, "desk_look", "what=5", *where) == (0, '{"seen":"5"}\n', "")
    assert call(project, "desk_find@1.0.0", *where)[:2] == (0, "1\n")
    assert call(project, "desk_find@2.0.0", *where) == (0, "[1,2]\n", "")
    assert call(project, "desk_maybe", *where)[:2] == (0, "null\n")
    assert call(project, "desk_name", "--raw", *where)[:2] == (0, "a desk\n")


def test_chunks_come_as_they_are(project: Path, where: tuple[str, ...]) -> None:
    assert call(project, "desk_tell", "words=2", *where)[:2] == (0, "w0 w1 ")
    assert call(project, "desk_deal", *where)[:2] == (0, '{"card":0}\n{"card":1}\n')


def test_progress_goes_to_stderr(project: Path, where: tuple[str, ...]) -> None:
    assert call(project, "desk_count", *where) == (0, "3\n", "1/3 at 1\n2/3 at 2\n3/3 at 3\n")


def test_a_mutation_wants_a_yes(project: Path, where: tuple[str, ...]) -> None:
    status, out, err = call(project, "desk_throwAway", "what=bin", *where)
    assert (status, out) == (1, "")
    assert "no approver is configured" in err
    assert "--yes" in err
    assert call(project, "desk_throwAway", "what=bin", "--yes", *where)[:2] == (0, "true\n")
    # A permission that the handler asks for on its way is covered by the same word.
    assert call(project, "desk_move", "what=lamp", "-y", *where)[:2] == (0, '"moved lamp"\n')


def test_nobody_to_ask_on_the_way_is_no_refusal(project: Path, where: tuple[str, ...]) -> None:
    status, out, err = call(project, "desk_peek", *where)
    assert (status, out) == (1, "")
    assert "`desk_peek` needs approval for `file:~/drawer`, and no approver is configured" in err
    assert err.endswith("  hint: allow it with --yes\n")
    assert call(project, "desk_peek", "--yes", *where)[:2] == (0, "true\n")


def test_a_key_is_made_up_where_the_tool_requires_one(
    project: Path, where: tuple[str, ...]
) -> None:
    order = ("desk_order", "what=tea", *where)
    assert call(project, *order, "--yes")[:2] == (0, '"32 tea"\n')
    assert call(project, *order, "idempotency_key=mine", "--yes")[:2] == (0, '"4 tea"\n')
    # It is that of a call, and a dry run makes none.
    assert call(project, *order, "--dry-run")[:2] == (0, '{"what":"tea"}\n')
    status, _, err = call(project, *order, "idempotency_key=", "--yes")
    assert (status, "$.idempotency_key: " in err) == (1, True)


def test_the_arguments_of_an_old_version_are_its_own(project: Path, where: tuple[str, ...]) -> None:
    assert call(project, "desk_find@1.0.0", "what=pen", *where)[:2] == (0, "1\n")
    status, _, err = call(project, "desk_find@2.0.0", "what=pen", *where)
    assert (status, "invalid arguments for `desk_find" in err) == (1, True)


def test_a_version_that_there_is_not(project: Path, where: tuple[str, ...]) -> None:
    status, out, err = call(project, "desk_find@9.0.0", *where)
    assert (status, out) == (2, "")
    assert "there is no tool `desk_find@9.0.0`; did you mean `" in err


def test_a_tool_without_a_version_answers_any(project: Path, where: tuple[str, ...]) -> None:
    status, out, _ = call(project, "desk_look@9.0.0", "what=pen", *where)
    assert (status, out) == call(project, "desk_look", "what=pen", *where)[:2]
    assert status == 0


def test_an_error_of_the_tool(project: Path, where: tuple[str, ...]) -> None:
    status, out, err = call(project, "desk_look", *where)
    assert (status, out) == (1, "")
    assert err.endswith("invalid arguments for `desk_look` (validation)\n  $.what: is missing\n")
    status, out, err = call(project, "desk_fail", "--format", "json", *where)
    assert (status, out) == (1, "")
    error = json.loads(err.splitlines()[-1])["error"]
    assert (error["code"], error["category"]) == ("internal", "internal")
    assert error["request_id"]


def test_a_dry_run_checks_and_runs_nothing(project: Path, where: tuple[str, ...]) -> None:
    status, out, _ = call(project, "desk_die", "--dry-run", *where)
    assert (status, json.loads(out)) == (0, {})
    status, out, _ = call(project, "desk_look", "what=pen", "--dry-run", *where)
    told = {"what": "pen", **({"closely": False} if where is OWN else {})}
    assert (status, json.loads(out)) == (0, told)
    assert call(project, "desk_look", "--dry-run", *where)[0] == 1


@pytest.mark.parametrize(
    ("words", "given", "arguments"),
    [
        (["desk_deal", "cards=3"], "", {"cards": 3}),
        (["desk_look", "what=true", "closely=true"], "", {"what": "true", "closely": True}),
        (["desk_look", 'what:="x"'], "", {"what": "x", "closely": False}),
        (
            ["desk_deal", "deck.colour=7", "deck.packs=7"],
            "",
            {"cards": 2, "deck": {"colour": "7", "packs": 7}},
        ),
        (["desk_deal", 'deck={"packs":1}'], "", {"cards": 2, "deck": {"packs": 1}}),
        (
            ["desk_deal", "labels.size=7", "labels.count=7"],
            "",
            {"cards": 2, "labels": {"size": "7", "count": 7}},
        ),
        (["desk_deal", "note=NaN"], "", {"cards": 2, "note": "NaN"}),
        (["desk_deal", "note=-7"], "", {"cards": 2, "note": -7}),
        (["desk_deal", "--json", '{"cards": 4}'], "", {"cards": 4}),
        (["desk_deal", "--json", '{"cards": 4}', "cards=5"], "", {"cards": 5}),
        (["desk_deal", "--input", "-"], '{"cards": 6}', {"cards": 6}),
        (["desk_deal", "--input", "-"], '{"cards": 7}'.encode("utf-16"), {"cards": 7}),
    ],
)
def test_arguments_are_read_as_the_schema_says(
    project: Path, words: list[str], given: str | bytes, arguments: object
) -> None:
    status, out, err = call(project, *words, "--dry-run", given=given)
    assert status == 0, err
    assert json.loads(out) == arguments


@pytest.mark.parametrize(
    ("words", "said"),
    sampled(
        [
            (["desk_lok", "what=x"], "did you mean `desk_look`"),
            (["desk_deal", "cards=many"], "`cards` must be integer, not `many`"),
            (["desk_deal", "cards=Infinity"], "`cards` must be integer, not `Infinity`"),
            (["desk_deal", "note:=NaN"], "`note` is not JSON: `NaN`"),
            (["desk_deal", "cards=1.5"], "`cards` must be integer, not `1.5`"),
            (["desk_look", "what:=x"], "`what` is not JSON: `x`"),
            (["desk_look", "what"], "write `name=value`"),
            (
                ["desk_look", "what=x", "what.more=y"],
                "has a path through a value that is not an object",
            ),
            (["desk_look", "--json", "[]"], "not a JSON object: write `{"),
            (
                ["desk_look", "--json", '{"what": x}'],
                'at line 1, column 10\n  {"what": x}\n           ^',
            ),
            (["desk_look", "--handlers", "nowhere:Desk"], "nowhere"),
            (["desk_look", "--url", "http://x", "--stdio", "y"], "choose one"),
            (["desk_lok", "--stdio", SERVER], "did you mean `desk_look`"),
            (["desk_lok", "--stdio", "'"], "not a command"),
            (["desk_look", "--url", ""], "Invalid value for '--url': the value is empty"),
            (["desk_look", "--stdio", " "], "Invalid value for '--stdio': the value is empty"),
            (["desk_look", "--settings", ""], "Invalid value for '--settings': the value is empty"),
            (["desk_look", "--json", ""], "--json is not valid JSON"),
            (["desk_look", "--input", "specs"], "the arguments cannot be read: "),
            (["desk_look", "--input", "nowhere.json"], "the arguments cannot be read: "),
        ],
        8,
        rows=True,
    ),
)
def test_a_mistake_of_usage_is_told(project: Path, words: list[str], said: str) -> None:
    status, out, err = call(project, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_arguments_that_are_no_text(project: Path) -> None:
    status, out, err = call(project, "desk_look", "--input", "-", given=b'{"what": "\xff"}')
    assert (status, out) == (2, "")
    assert "not JSON: " in err


def test_a_closed_stdin_is_an_empty_one(project: Path) -> None:
    command = shlex.join([*TOOLSPEC, "call", "desk_look", "--input", "-"])
    closed = ["sh", "-c", f"{command} <&-"]
    done = subprocess.run(closed, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not valid JSON: " in done.stderr


def test_an_unknown_argument_is_told_with_the_nearest(project: Path) -> None:
    status, _, err = call(project, "desk_look", "wat=x")
    assert status == 1
    assert "$.wat: is not known; did you mean `what`?" in err


def test_a_server_that_prints_to_its_client_is_told_of_in_a_line(project: Path) -> None:
    server = shlex.join(["sh", "-c", f"echo listening; exec {SERVER}"])
    status, out, err = call(project, "desk_look", "what=x", "--stdio", server)
    assert (status, out) == (0, '{"seen":"x"}\n')
    assert err == "toolspec: Failed to parse JSONRPC message from server\n"


def test_a_server_that_is_not_there(project: Path) -> None:
    for server in (("--stdio", "/nowhere/at/all"), ("--url", "http://127.0.0.1:9/mcp")):
        status, out, err = call(project, "desk_look", "what=x", *server)
        assert (status, out) == (1, "")
        assert f"the server `{server[1]}` cannot be reached" in err
        assert "Traceback" not in err


@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 1), ("", 1)])
def test_a_person_at_the_terminal_is_asked(project: Path, answer: str, status: int) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*TOOLSPEC, "call", "desk_throwAway", "what=b\x1bin", *OWN],
        cwd=project,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    asked = _read_until(ours, b"[y/N] ")
    os.write(ours, f"{answer}\n".encode())
    out, _ = process.communicate(timeout=30)
    os.close(ours)
    assert b"Call desk_throwAway?" in asked
    assert b"\x1b" not in asked
    assert (process.returncode, out) == (status, b"true\n" if status == 0 else b"")


def test_a_question_on_the_way_is_asked_in_lines(project: Path, where: tuple[str, ...]) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*TOOLSPEC, "call", "desk_peek", *where],
        cwd=project,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    asked = quiet(_read_until(ours, b"[y/N] ").decode()).splitlines()
    os.write(ours, b"y\n")
    out, _ = process.communicate(timeout=30)
    os.close(ours)
    assert asked[0].startswith("desk_peek: ")
    assert "  It uses file ~/drawer." in asked
    assert (process.returncode, out) == (0, b"true\n")


def _read_until(source: int, end: bytes) -> bytes:
    found = b""
    deadline = time.monotonic() + 30
    while end not in found and time.monotonic() < deadline:
        if select.select([source], [], [], 1)[0]:
            found += os.read(source, 4096)
    return found


@pytest.mark.parametrize("server", [OWN, ("--stdio", SERVER)], ids=["in process", "stdio"])
def test_an_interrupt_ends_a_stream(project: Path, server: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [*TOOLSPEC, "call", "desk_endless", *server],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"0\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
