"""`revert` with bytes, by a program that opens a stored journal anew: it gets bytes again."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from forkserver import toolspec

if TYPE_CHECKING:
    from pathlib import Path

TOOLSPEC = (str(toolspec()),)
SPEC = """
toolspec: 1
service: {name: files, description: Keeps files.}
$defs:
  Data: {type: string, description: The bytes., contentEncoding: base64}
tools:
  - name: put
    description: Replace the bytes of a file.
    inputSchema:
      type: object
      properties: {name: {type: string}, data: {$ref: "#/$defs/Data"}}
      required: [name, data]
      additionalProperties: false
    outputSchema:
      type: object
      properties: {before: {$ref: "#/$defs/Data"}}
      required: [before]
      additionalProperties: false
    mutation: true
    revert: true
"""
APP = """
import asyncio, sys

from made_for_revert.files import bind
from toolspec.runtime import Policy, PolicySource, Rule
from toolspec.runtime.stores.sqlite import SqliteStore


class Files:
    def __init__(self):
        self.kept = {"a": b"\\xff\\x00"}

    async def put(self, input, ctx):
        before, self.kept[input["name"]] = self.kept[input["name"]], input["data"]
        return {"before": before}

    async def revert_put(self, input, output, metadata, ctx):
        print("revert", input["data"], output["before"], sep=" ")


async def main(step):
    store = SqliteStore("journal.sqlite3")
    rules = (Rule(tool="files_put", mode="auto"),)
    policy = Policy(sources=(PolicySource(name="test", rules=rules),))
    registry = bind(Files()).with_controls(journal=store.journal, policy=policy)
    if step == "call":
        print(await registry.call("files_put", {"name": "a", "data": "AAEC/w=="}))
        print([(each.input, each.output) for each in await store.journal.entries()])
    else:
        outcome = await registry.revert_last()
        print(outcome.status, outcome.message, await registry.revert_last())


asyncio.run(main(sys.argv[1]))
"""


def run(folder: Path, *command: str) -> list[str]:
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_a_journal_that_is_opened_anew_gives_bytes(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "files.yaml").write_text(SPEC)
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "toolspec.toml").write_text(
        'out = "made_for_revert"\n[target.python]\nbase64 = "bytes"\n'
    )
    run(tmp_path, *TOOLSPEC, "compile")
    assert run(tmp_path, sys.executable, "app.py", "call") == [
        "{'before': '/wA='}",
        "[({'name': 'a', 'data': 'AAEC/w=='}, {'before': '/wA='})]",
    ]
    assert run(tmp_path, sys.executable, "app.py", "revert") == [
        r"revert b'\x00\x01\x02\xff' b'\xff\x00'",
        "reverted  None",
    ]
