"""Every list that a provider target writes is accepted by the provider's own packages."""

from __future__ import annotations

import json
import warnings
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from oracle import ORACLES, accepts
from sampling import sampled
from toolspec.driver import build
from toolspec.driver.build import Build, Request
from toolspec.driver.imports import import_mcp_tools
from toolspec.targets import discovery

TARGETS = sorted(ORACLES)


def compiled(folder: Path, out: Path) -> Build:
    checked = build.compile_specs(Request(folder=folder, out=str(out), targets=TARGETS))
    assert checked.ok, [each.message for each in checked.diagnostics if not each.suppression]
    return checked.value


def read(out: Path, module: str, name: str) -> Any:
    return json.loads((out / module / name).read_text(encoding="utf-8"))


def names(target: str, manifest: Any) -> list[str]:
    match target.partition("-")[0]:
        case "bedrock":
            return [each["toolSpec"]["name"] for each in manifest["tools"]]
        case "gemini":
            return [each["name"] for tool in manifest for each in tool["functionDeclarations"]]
        case _:
            return [each.get("function", each)["name"] for each in manifest]


def judged(done: Build, out: Path, target: str) -> list[str]:
    """Return what is wrong with the lists of a target: what its oracle says, and tools unaccounted for."""
    problems: list[str] = []
    for service in done.program.services:
        module = service.names.module
        manifest = read(out, module, f"{target}.json")
        ledger = read(out, module, f"{target}.ledger.json")["tools"]
        decoding = read(out, module, f"{target}.decode.json")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the SDKs warn about themselves
            problems += [f"{module}: {each}" for each in accepts(target, manifest)]
        kept = [each for each in ledger if each["form"] != "left out"]
        assert names(target, manifest) == [each["name"] for each in kept] == list(decoding)
        assert {each["tool"] for each in ledger} == {each.names.full for each in service.tools}
    return problems


@pytest.fixture(scope="module")
def examples(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Build, Path]:
    out = tmp_path_factory.mktemp("examples")
    return compiled(repository, out), out


def test_every_provider_target_has_an_oracle() -> None:
    providers = {each.name for each in discovery.built_in() if _is_provider(each.name)}
    assert providers == set(ORACLES)


def _is_provider(name: str) -> bool:
    from toolspec.providers.profile import find_profile

    profile = find_profile(name)
    return profile is not None and bool(profile.steps)


@pytest.mark.parametrize("target", sampled(TARGETS, 1))
def test_the_example_services_are_accepted(target: str, examples: tuple[Build, Path]) -> None:
    assert judged(*examples, target) == []


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Build, Path]:
    corpus = Path(__file__).parents[3] / "shared" / "corpus" / "mcp-tools"
    if not corpus.is_dir():
        pytest.skip("the dumps of real servers do not lie beside this checkout")
    folder = tmp_path_factory.mktemp("dumps")
    import_mcp_tools(sorted(corpus.glob("*.json")), folder / "specs", None)
    return compiled(folder, folder / "generated"), folder / "generated"


@pytest.mark.prove
@pytest.mark.parametrize("target", TARGETS)
def test_published_servers_are_accepted(target: str, dumps: tuple[Build, Path]) -> None:
    assert judged(*dumps, target) == []


TEXT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
CLOSED = {**TEXT, "additionalProperties": False}


def function(parameters: Any, **more: Any) -> list[Any]:
    return [{"type": "function", "function": {"name": "a", "parameters": parameters, **more}}]


def responses(parameters: Any, **more: Any) -> list[Any]:
    return [{"type": "function", "name": "a", "parameters": parameters, **more}]


def claude(schema: Any, **more: Any) -> list[Any]:
    return [{"name": "a", "input_schema": schema, **more}]


def declared(**more: Any) -> list[Any]:
    return [{"functionDeclarations": [{"name": "a", **more}]}]


def converse(schema: Any, **more: Any) -> Any:
    return {"tools": [{"toolSpec": {"name": "a", "inputSchema": {"json": schema}, **more}}]}


OPENAPI = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
OPTIONAL = {**CLOSED, "required": []}
WIDE = {**OPTIONAL, "properties": {f"p{at}": {"type": "string"} for at in range(25)}}
REFUSED = {
    "openai-responses": [
        responses(TEXT),  # no word on `strict`
        responses(TEXT, strict=None),
        responses(TEXT, strict=False, examples=[]),
        responses({**TEXT, "anyOf": [TEXT]}, strict=False),
        responses({**TEXT, "properties": {"a": {"type": "array"}}}, strict=False),
        responses({**TEXT, "properties": {"a": {"pattern": r"\p{L}"}}}, strict=False),
        [*responses(TEXT, strict=False), *responses(TEXT, strict=False)],
    ],
    "openai-responses-strict": [
        responses(TEXT, strict=True),
        responses(OPTIONAL, strict=True),
        responses({**CLOSED, "properties": {"a": {"type": "string", "default": ""}}}, strict=True),
    ],
    "openai-chat": [
        responses(TEXT),
        function(TEXT, output_schema=TEXT),
        [{"type": "function", "function": {"name": "a.b", "parameters": TEXT}}],
        function({"type": "array", "items": TEXT}),
        function({**TEXT, "properties": {"a": {"$ref": "#/$defs/Gone"}}}),
    ],
    "openai-chat-strict": [
        function(OPTIONAL, strict=True),
        function({**CLOSED, "properties": {"a": {"oneOf": [{"type": "string"}]}}}, strict=True),
        function({**CLOSED, "properties": {"a": {"allOf": [{"type": "string"}]}}}, strict=True),
        function({**CLOSED, "properties": {"a": {"type": "array", "items": {}}}}, strict=True),
    ],
    "anthropic": [
        [{"name": "a"}],
        claude(TEXT, examples=[{}]),
        claude({**TEXT, "oneOf": [TEXT]}),
        claude({**TEXT, "type": "string"}),
        claude({"type": "object", "properties": {"a b": {}}}),
        claude({"type": "object", "properties": {"a": {"exclusiveMinimum": True}}}),
        claude(TEXT, input_examples=[{"a": 1}]),
    ],
    "anthropic-strict": [
        claude(TEXT, strict=True),
        claude({**CLOSED, "properties": {"a": {"type": "integer", "minimum": 1}}}, strict=True),
        claude({**CLOSED, "properties": {"a": {"type": ["string", "null"]}}}, strict=True),
        claude(WIDE, strict=True),
    ],
    "gemini": [
        [{"functionDeclarations": [{"name": "1"}]}],
        declared(parametersJsonSchema=TEXT, extra=1),
        declared(parametersJsonSchema={**TEXT, "not": {}}),
        declared(parametersJsonSchema=TEXT, parameters=OPENAPI),
        declared(parametersJsonSchema={**TEXT, "properties": {"a": {"$ref": "#", "title": "A"}}}),
    ],
    "gemini-openapi": [
        declared(parameters={"type": "OBJECT", "properties": {}}),
        declared(parameters={**OPENAPI, "additionalProperties": {"$ref": "#/$defs/A"}}),
        declared(parameters={**OPENAPI, "required": ["b"]}),
        declared(parameters={**OPENAPI, "properties": {"a": {"type": "INTEGER", "enum": ["1"]}}}),
        declared(parameters={**OPENAPI, "properties": {"a": {"type": "ARRAY"}}}),
        declared(parameters={**OPENAPI, "properties": {"a-b": {"type": "STRING"}}}),
        declared(parameters={**OPENAPI, "const": 1}),
    ],
    "bedrock": [
        {"tools": []},
        converse(TEXT, description=""),
        converse(TEXT, title="A"),
        {"tools": [{"toolSpec": {"name": "a" * 65, "inputSchema": {"json": TEXT}}}]},
        {"tools": [{"toolSpec": {"name": "a.b", "inputSchema": {"json": TEXT}}}]},
        converse({**TEXT, "allOf": [TEXT]}),
    ],
    "bedrock-strict": [converse(TEXT, strict=True), converse(WIDE, strict=True)],
    "bedrock-nova": [converse(CLOSED), converse({**TEXT, "$defs": {}})],
    "mistral": [
        function(TEXT, output_schema=TEXT),
        function({**TEXT, "properties": {"a": {"minimum": 1, "exclusiveMinimum": True}}}),
        function({**TEXT, "properties": {"a": {"prefixItems": [{}]}}}),
        function({**TEXT, "$id": "a"}),
        [{"type": "function", "function": {"name": "a b", "parameters": TEXT}}],
    ],
}


@pytest.mark.parametrize(
    ("target", "manifest"),
    sampled(
        [
            pytest.param(target, manifest, id=f"{target}-{at}")
            for target, manifests in REFUSED.items()
            for at, manifest in enumerate(manifests)
        ],
        20,
    ),
)
def test_an_oracle_refuses(target: str, manifest: Any) -> None:
    before = deepcopy(manifest)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert accepts(target, manifest)
    assert manifest == before


def test_every_oracle_is_seen_to_refuse() -> None:
    assert REFUSED.keys() == ORACLES.keys()
