"""What provider targets make of services that cannot be sent as they are, whole and unit by unit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from toolspec.driver import build
from toolspec.driver.build import CompileOptions, Request
from toolspec.providers import profile as profiles
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.targets import discovery, provider_plan

CASES = Path(__file__).parents[1] / "cases" / "check"
TARGETS = [each.name for each in discovery.built_in() if profiles.find_profile(each.name)]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "toolspec.lock.json"
    }


def spec(name: str, tools: str, head: str = "") -> str:
    return (
        f"toolspec: 1\nservice: {{name: {name}, description: About {name}.}}\n{head}tools:\n{tools}"
    )


def tool(name: str, schema: str, *, mutation: str = "false") -> str:
    return (
        f"  - name: {name}\n    description: Does {name}.\n    mutation: {mutation}\n"
        f"    inputSchema: {schema}\n    outputSchema: {{type: string}}\n"
    )


def optional(count: int) -> str:
    members = ", ".join(f"p{at}: {{type: string}}" for at in range(count))
    return f"{{type: object, additionalProperties: false, properties: {{{members}}}}}"


def made(folder: Path, text: str, *targets: str) -> tuple[dict[str, Any], list[str]]:
    """Return what a compile writes, by file name, and the codes and messages of what it says."""
    (folder / "specs").mkdir()
    (folder / "specs" / "s.yaml").write_text(text, encoding="utf-8")
    checked = build.compile_specs(Request(folder=folder, targets=targets))
    out = {path.name: json.loads(path.read_text()) for path in folder.rglob("generated/s/*.json")}
    return out, [f"{each.code}: {each.message}" for each in checked.diagnostics]


def ledger(out: dict[str, Any], target: str) -> dict[str, Any]:
    return {each["tool"]: each for each in out[f"{target}.ledger.json"]["tools"]}


@pytest.mark.prove
def test_units_make_what_a_whole_build_makes(repository: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    said = build.compile_specs(Request(folder=repository, out=str(whole), targets=TARGETS))
    ways = CompileOptions(is_cached=False)
    told = build.compile_specs(
        Request(folder=repository, out=str(parts), targets=TARGETS), options=ways
    )
    assert said.ok
    assert told.ok
    assert said.diagnostics == told.diagnostics
    assert files(whole) == files(parts)
    assert len(files(whole)) == 3 * len(TARGETS) * len(said.value.program.services)


def test_a_refused_tool_that_may_stand_is_left_out_and_takes_nothing_with_it(
    tmp_path: Path,
) -> None:
    text = (CASES / "target-refused-allowed" / "specs" / "shop.yaml").read_text(encoding="utf-8")
    out, _ = made(tmp_path, text.replace("name: shop", "name: s"), "gemini")
    (sent,) = out["gemini.json"]
    assert [each["name"] for each in sent["functionDeclarations"]] == ["s_count_categories"]
    assert list(out["gemini.decode.json"]) == ["s_count_categories"]
    account = ledger(out, "gemini")
    assert account["s_add_category"]["form"] == "left out"
    assert account["s_count_categories"]["form"] == "loose"
    refused = [
        each for each in account["s_add_category"]["changes"] if each["outcome"] == "refused"
    ]
    assert {each["keyword"] for each in refused} == {"allOf"}


def test_a_list_without_tools_is_a_list(tmp_path: Path) -> None:
    refused = (
        "{type: object, properties: {a: {allOf: [{type: object, patternProperties: {x: true}}, "
        "{type: object, additionalProperties: {type: integer}}]}}}"
    )
    text = spec(
        "s",
        tool("a", f"{refused} # toolspec: allow target/unsendable -- there are other providers"),
    )
    out, said = made(tmp_path, text, "gemini")
    assert out, said
    assert out["gemini.json"] == []
    assert out["gemini.decode.json"] == {}


def test_a_strict_target_says_which_tools_are_not_strict(tmp_path: Path) -> None:
    schema = "{type: object, required: [a], properties: {a: {type: object}}}"
    out, said = made(tmp_path, spec("s", tool("a", schema)), "openai-responses-strict")
    (sent,) = out["openai-responses-strict.json"]
    assert sent["strict"] is False
    (account,) = ledger(out, "openai-responses-strict").values()
    assert account["form"] == "loose"
    assert account["notStrict"][0]["pointer"].startswith("/properties/a")
    assert any(each.startswith("target/strict-fallback: ") for each in said)


def test_the_strict_budget_goes_to_tools_that_destroy_first(tmp_path: Path) -> None:
    tools = [tool("first", optional(20)), tool("second", optional(20), mutation="true")]
    out, said = made(tmp_path, spec("s", "".join(tools)), "anthropic-strict")
    forms = {name: each["form"] for name, each in ledger(out, "anthropic-strict").items()}
    assert forms == {"s_first": "loose", "s_second": "strict"}
    assert ledger(out, "anthropic-strict")["s_first"]["notStrict"] == [
        {
            "pointer": "",
            "keyword": "strict",
            "outcome": "refused",
            "step": "strict-budget",
            "detail": "40 optional parameters in one request; the provider takes 24",
        }
    ]
    (finding,) = (each for each in said if "strict-budget" in each)
    assert finding == (
        "target/strict-budget: 1 of 2 tools of `s` are not sent strictly to anthropic-strict: one "
        "request takes 24 optional parameters"
    )


def test_a_tool_that_does_not_fit_leaves_room_for_smaller_ones(tmp_path: Path) -> None:
    tools = "".join(tool(name, optional(count)) for name, count in (("a", 20), ("b", 9), ("c", 4)))
    out, _ = made(tmp_path, spec("s", tools), "bedrock-strict")
    forms = {name: each["form"] for name, each in ledger(out, "bedrock-strict").items()}
    assert forms == {"s_a": "strict", "s_b": "loose", "s_c": "strict"}


def test_no_more_tools_are_strict_than_a_request_takes(tmp_path: Path) -> None:
    tools = "".join(tool(f"t{at}", optional(0)) for at in range(22))
    out, said = made(tmp_path, spec("s", tools), "anthropic-strict")
    assert sum(each.get("strict", False) for each in out["anthropic-strict.json"]) == 20
    assert any("2 of 22 tools" in each and "20 strict tools" in each for each in said)


def test_of_several_versions_the_highest_is_sent(tmp_path: Path) -> None:
    one = tool("a", optional(1)).replace("mutation", 'version: "1.0"\n    mutation')
    two = tool("a", optional(2)).replace("mutation", 'version: "2.0"\n    mutation')
    out, _ = made(tmp_path, spec("s", one + two), "mistral")
    (sent,) = out["mistral.json"]
    assert list(sent["function"]["parameters"]["properties"]) == ["p0", "p1"]


def test_examples_are_sent_where_the_schema_takes_them(tmp_path: Path) -> None:
    schema = "{type: object, required: [p], properties: {p: {type: integer}}}"
    calls = '    examples: [{title: One, input: {p: 1}, output: "a"}]\n'
    renamed = schema.replace("[p]", '["p q"]').replace("{p:", '{"p q":')
    other = calls.replace("{p:", '{"p q":')
    tools = tool("a", schema) + calls + tool("b", renamed) + other
    out, _ = made(tmp_path, spec("s", tools), "anthropic")
    first, second = out["anthropic.json"]
    assert first["input_examples"] == [{"p": 1}]
    assert "input_examples" not in second
    assert out["anthropic.decode.json"]["s_b"]["decode"]


@pytest.mark.parametrize("target", ["gemini", "gemini-openapi"])
def test_gemini_gets_no_schema_of_no_parameters(target: str, tmp_path: Path) -> None:
    out, _ = made(tmp_path, spec("s", tool("a", optional(0))), target)
    (sent,) = out[f"{target}.json"][0]["functionDeclarations"]
    assert not {"parameters", "parametersJsonSchema"} & sent.keys()


def test_results_are_described_where_there_is_a_place_for_it(tmp_path: Path) -> None:
    targets = ("openai-responses", "gemini", "openai-chat")
    out, _ = made(tmp_path, spec("s", tool("a", optional(1))), *targets)
    assert out["openai-responses.json"][0]["output_schema"] == {"type": "string"}
    (declared,) = out["gemini.json"][0]["functionDeclarations"]
    assert declared["responseJsonSchema"] == {"type": "string"}
    assert out["openai-chat.json"][0]["function"]["description"].endswith("Returns: string.")


def test_two_tools_under_one_name_are_an_error_at_the_second(tmp_path: Path) -> None:
    """No profile of today makes one name of two, so the names are changed here."""
    (tmp_path / "specs").mkdir()
    text = spec("s", tool("a", optional(0)) + tool("b", optional(0)))
    (tmp_path / "specs" / "s.yaml").write_text(text, encoding="utf-8")
    (service,) = build.check(Request(folder=tmp_path)).value.program.services
    plan = provider_plan.plan(service, provider_plan.profile_of("mistral"), LoweredTools())
    first, second = plan
    renamed = (
        replace(first, lowered=replace(first.lowered, name="s_x")),
        replace(second, lowered=replace(second.lowered, name="S_x")),
    )
    assert list(provider_plan._equal_names("mistral", service, plan)) == []
    (found,) = provider_plan._equal_names("mistral", service, renamed)
    assert found.message == "`s_b` and `s_a` are both called `S_x` by mistral"
    assert found.span
    assert found.span.source.text[found.span.start : found.span.end] == "b"
    assert found.subject.tool == "s_b"
