"""Dumps of real servers with faults: what an import writes compiles, and it names what it leaves out."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from toolspec.diagnostics import Severity
from toolspec.driver.build import Request, build
from toolspec.driver.imports import import_mcp_tools

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", " ", "object", "strin", "\u202e", "a\x00b", [], {},
    ["a", "a"], {"type": "strin"}, {"$ref": "#/nowhere"}, {"$ref": "https://x.example/"},
    {"anyOf": []}, {"type": "object", "required": 5}, {"minimum": 1, "exclusiveMinimum": True},
    {"pattern": "("}, {"enum": []}, {"default": 5, "type": "string"},
    {"toolspec": {"wrapped": "result", "streaming": "last", "deprecated": True, "risk": 5}},
)  # fmt: skip
KEYS = (
    "type", "properties", "required", "items", "$ref", "enum", "pattern", "default", "anyOf", "minimum",
    "exclusiveMinimum", "format", "description", "additionalProperties", "$defs", "$id", "$anchor",
    "name", "title", "annotations", "mutation", "streaming", "aliases", "icons", "group", "version",
    "permissions", "idempotency", "revert", "outputSchema", "inputSchema", "examples", "errors",
    "_meta",
)  # fmt: skip


def mutated(dump: Any, chance: random.Random) -> Any:
    """A dump of a few tools with one to three faults somewhere in it."""
    dump = copy.deepcopy(dump)
    tools = dump["tools"]
    dump["tools"] = chance.sample(tools, min(len(tools), 4))
    for _ in range(chance.randint(1, 3)):
        node: Any = chance.choice(dump["tools"])
        while isinstance(node, (dict, list)) and node and chance.random() < 0.75:
            inner = list(node.values()) if isinstance(node, dict) else node
            below = [each for each in inner if isinstance(each, (dict, list))]
            if not below:
                break
            node = chance.choice(below)
        if isinstance(node, dict):
            key = chance.choice([*node, *KEYS])
            if chance.random() < 0.2:
                node.pop(key, None)
            else:
                node[key] = copy.deepcopy(chance.choice(VALUES))
        else:
            node.insert(chance.randint(0, len(node)), copy.deepcopy(chance.choice(VALUES)))
    return dump


def problem(folder: Path, dump: Any) -> str:
    """What is wrong with the import of a dump; nothing if all is well."""
    file = folder / "dump.json"
    file.write_text(json.dumps(dump))
    (folder / "toolspec.toml").write_text("")
    done = import_mcp_tools([file], folder / "specs", None, replace=True)
    errors = [each for each in done.diagnostics if each.severity is Severity.ERROR]
    if not done.value:
        return "" if errors else "nothing is written, and no error says why"
    (written,) = done.value
    built = build(Request(folder=folder))
    Path(written.path).unlink()
    left = [each for each in built.diagnostics if each.severity is Severity.ERROR]
    open_errors = [f"{each.code}: {each.message}" for each in left if each.suppression is None]
    named = sum(each.code == "import/left-out" for each in errors)
    unlisted = sum(each.code == "import/not-a-tool" for each in done.diagnostics)
    if len(dump["tools"]) != written.tools + named + unlisted:
        open_errors.append("a tool is lost without a word")
    return "; ".join(open_errors)


def problems(corpus: Path, folder: Path, count: int) -> dict[int, str]:
    dumps = [json.loads(each.read_text()) for each in sorted((corpus / "mcp-tools").glob("*.json"))]
    found = {}
    for seed in range(count):
        chance = random.Random(seed)  # noqa: S311 - faults are drawn, no secrets
        found[seed] = problem(folder, mutated(chance.choice(dumps), chance))
    return {seed: text for seed, text in found.items() if text}


def test_a_few_mutated_dumps(corpus: Path, tmp_path: Path) -> None:
    assert problems(corpus, tmp_path, 8) == {}


@pytest.mark.prove
def test_two_thousand_mutated_dumps(corpus: Path, tmp_path: Path) -> None:
    assert problems(corpus, tmp_path, 2_000) == {}
