"""Lines on stdio that are no message: each gets an error, under its id if it has one, and ends nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from served import TOOLSPEC

PARSE, INVALID = -32700, -32600
WORDS = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"words":%s}}}'
LINES = {
    "bad JSON": (b"{bad", None, PARSE, "Expecting property name"),
    "cut JSON": (b'{"jsonrpc":"2.0","id":7,', None, PARSE, "Expecting property name"),
    "UTF-16": ('{"jsonrpc":"2.0","id":7}'.encode("utf-16-be"), None, PARSE, "Expecting"),
    "not UTF-8": (WORDS % b'"\xff"', 7, PARSE, "it is not UTF-8"),
    "lone surrogate": (WORDS % b'"\\ud83d"', 7, PARSE, "hex escape"),
    "long number": (WORDS % (b"9" * 5000), 7, PARSE, "4300 digits"),
    "deep": (WORDS % (b"[" * 500 + b"]" * 500), 7, PARSE, "recursion limit"),
    "very deep": (WORDS % (b"[" * 100_000 + b"]" * 100_000), None, PARSE, "nested too deeply"),
    "duplicate key": (WORDS % b'{"a":1,"a":2}', 7, PARSE, 'the key "a" occurs twice'),
    "NaN": (WORDS % b"NaN", 7, PARSE, "NaN is not a number"),
    "batch": (b"[" + WORDS % b"1" + b"]", None, INVALID, "not one message"),
    "number": (b"5", None, INVALID, "not one message"),
    "no method": (b'{"jsonrpc":"2.0","id":"x"}', "x", INVALID, "not one message"),
    "no version": (b'{"id":7,"method":"ping"}', 7, INVALID, "not one message"),
    "id that is none": (
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        None,
        INVALID,
        "not one message",
    ),
    "bad response": (b'{"jsonrpc":"2.0","id":7,"result":5}', None, INVALID, "not one message"),
}


@pytest.mark.parametrize("options", [(), pytest.param(("--reload",), marks=pytest.mark.prove)])
def test_each_line_is_answered(lab: Path, options: tuple[str, ...]) -> None:
    async def talk() -> tuple[dict[str, Any], str]:
        server = await asyncio.create_subprocess_exec(
            *(*TOOLSPEC, "serve", *options),
            cwd=lab,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert server.stdin is not None
        assert server.stdout is not None

        async def answer(line: bytes) -> Any:
            server.stdin.write(line + b"\n")
            async with asyncio.timeout(60):
                return json.loads(await server.stdout.readline())

        try:
            answers = {name: await answer(line) for name, (line, *_) in LINES.items()}
            server.stdin.write(b"\n \r\n")  # which hold nothing
            pong = await answer(WORDS % b'"\\ud83d\\ude00"')
            assert pong == {"jsonrpc": "2.0", "id": 7, "result": {}}
            server.stdin.close()
            async with asyncio.timeout(20):
                log = await server.stderr.read()
            assert await server.wait() == 0
        finally:
            if server.returncode is None:
                server.kill()
                await server.communicate()
        return answers, log.decode()

    answers, log = asyncio.run(talk())
    for name, (_, number, code, reason) in LINES.items():
        answer = answers[name]
        assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", number, code)
        assert reason in answer["error"]["message"], name
    assert log.count("a line of the client was refused: ") == len(LINES)
