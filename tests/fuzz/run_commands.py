"""Runs `check`, then `compile` twice, on a range of documents: `python run_commands.py FIRST LAST FOLDER`.

Prints the number of each document before it is tried, and ends with status 1 at the first that breaks a
promise: no command fails by itself, `compile` accepts what `check` accepts and repeats its diagnostics,
and two compiles print and write the same bytes.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "growth"))

from grown import SHAPES, Shape, tool
from mutants import mutant, restructured, seeds
from toolspec.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = 12


def made(number: int, origins: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Return name and bytes of a document: a mutant, or some shapes at a small size put together."""
    random = Random(number)  # noqa: S311 - the same number gives the same document
    if number % 2:
        return mutant(number, origins)
    shapes = random.sample(SHAPES, random.choice((1, 1, 2, 3)))
    texts = [(shape, shape.text(random.randrange(SMALL))) for shape in shapes]
    shape, text = texts[0]
    documents = [json.loads(text) for shape, text in texts if _is_json(shape, text)]
    if len(documents) < 2 and random.random() < 0.5:
        return f"specs/{shape.file}", text.encode("utf-8", "surrogatepass")
    suffix, data = ".json", json.dumps(_mixed(random, documents)).encode()
    for _ in range(random.choice((0, 0, 1, 2))):
        suffix, data = restructured(random, suffix, data)
    return f"specs/grown{suffix}", data


def _is_json(shape: Shape, text: str) -> bool:
    try:
        return shape.file.endswith(".json") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _mixed(random: Random, documents: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a document with the tools of several, the schemas of which are combined in some."""
    tools = [each for one in documents for each in one.get("tools", ()) if isinstance(each, dict)]
    schemas = [each["inputSchema"] for each in tools if isinstance(each.get("inputSchema"), dict)]
    if len(schemas) > 1 and random.random() < 0.5:
        parts = random.sample(schemas, 2)
        combined = {
            "type": "object",
            "$defs": {name: each for part in parts for name, each in _defs(part).items()},
            "properties": {"x": {random.choice(("allOf", "anyOf", "oneOf")): parts}},
            "required": ["x"],
        }
        tools.append(tool(inputSchema=combined))
    named = [{**each, "name": f"read{index}"} for index, each in enumerate(tools)]
    return {**documents[0], "tools": named} if documents else {"toolspec": 1}


def _defs(schema: dict[str, Any]) -> dict[str, Any]:
    defs = schema.get("$defs")
    return defs if isinstance(defs, dict) else {}


def run(*words: str) -> tuple[int, str, str]:
    """Return the status of a command, and what it printed. Raises what the command raises."""
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["toolspec", *words]
    status: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            app([*words, "--format", "json", "--fail-on", "error"], prog_name="toolspec")
        except SystemExit as end:
            status = end.code
    return int(str(status or 0)), out.getvalue(), err.getvalue()


def diagnostics(report: str) -> Counter[str]:
    """Return the diagnostics of a report."""
    return Counter(json.dumps(each, sort_keys=True) for each in json.loads(report)["diagnostics"])


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".toolspec-cache" not in path.parts
    }


def try_one(folder: Path, name: str, data: bytes) -> Iterator[str]:
    """Yield each promise that a document breaks."""
    for made_before in ("specs", "out", ".toolspec-cache"):
        shutil.rmtree(folder / made_before, ignore_errors=True)
    (folder / "specs").mkdir()
    (folder / name).write_bytes(data)
    check = run("check")
    compiles = []
    for _ in range(2):
        compiles.append((run("compile", "--no-cache"), files(folder / "out")))
        shutil.rmtree(folder / "out", ignore_errors=True)
    compiled, _ = compiles[0]
    if check[0] not in {0, 1} or compiled[0] not in {0, 1}:
        yield f"{check}, {compiled}"
        return
    if check[0] == 0 and compiled[0]:
        yield f"check accepts what compile refuses: {compiled}"
    if missing := diagnostics(check[1]) - diagnostics(compiled[1]):
        yield f"compile does not repeat {missing}"
    if compiles[0] != compiles[1]:
        yield f"two compiles differ: {compiles}"


def main(first: int, last: int, folder: Path) -> int:
    os.chdir(folder)
    Path("toolspec.toml").write_text(
        'specs = ["specs"]\nout = "out"\n'
        'targets = ["python", "catalog", "docs", "mcp-2025-11-25", "openai-chat-strict", "gemini"]\n'
    )
    origins = seeds()
    for number in range(first, last):
        print(number, flush=True)
        for problem in try_one(folder, *made(number, origins)):
            print(problem, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]).resolve()))
