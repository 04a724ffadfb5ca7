"""Registries of the same names, in every order: what clashes does so however they are merged."""

from __future__ import annotations

import asyncio
from itertools import permutations

import pytest
from example_service import bound, echo, service, tool
from toolspec.runtime import BindError, Registry, ToolDefinition, ToolError, bind_service, merge
from toolspec.runtime.names import unknown

MEETINGS = {
    "one name twice": [tool("a"), tool("a")],
    "one name twice beside a version": [tool("a"), tool("a"), tool("a", version="2")],
    "one version twice beside a higher": [tool("a", version=each) for each in ("1", "1", "2")],
    "an alias and a name": [tool("a", aliases=("demo_b",)), tool("b")],
    "an alias of a version and a name": [tool("a", version="1", aliases=("demo_b",)), tool("b")],
    "one alias of two tools": [
        tool("a", version="1", aliases=("demo_c",)),
        tool("b", version="2", aliases=("demo_c",)),
    ],
    "one alias of three tools": [
        tool("a", aliases=("demo_d",)),
        tool("b", version="2", aliases=("demo_d",)),
        tool("c", aliases=("demo_d",)),
    ],
}


@pytest.mark.parametrize("tools", MEETINGS.values(), ids=MEETINGS)
def test_a_name_that_leads_to_two_tools_is_told_in_every_order(tools: list[object]) -> None:
    registries = [bound(each, echo) for each in tools]  # type: ignore[arg-type]
    for order in permutations(registries):
        with pytest.raises(BindError, match="names of two tools"):
            merge(*order)


def test_a_registry_that_is_given_twice_is_told() -> None:
    one, other = bound(tool("a", source="x.yaml:1"), echo), bound(tool("b"), echo)
    for parts in ((one, one), (one, other, one), (merge(one, other), one)):
        with pytest.raises(BindError, match=r"`demo_a`: x\.yaml:1 and x\.yaml:1"):
            merge(*parts)


def test_a_service_that_is_bound_twice_is_told() -> None:
    definition, higher = service(tool("a")), bound(tool("a", version="2"), echo)
    one, other = (bind_service(definition, {"a": echo}) for _ in range(2))
    for parts in permutations((one, other, higher)):
        with pytest.raises(BindError, match="`demo_a`"):
            merge(*parts)


def test_versions_of_one_tool_merge_in_every_order() -> None:
    parts = [
        bound(tool("a", version=each, aliases=("demo_b",)), echo) for each in ("", "1.9", "1.10")
    ]

    def found(registry: Registry) -> dict[str, str]:
        names = ("demo_a", "demo_b", "demo_a@1.9", "demo_b@1.9", "demo_a@1.10", "demo_b@1.10")
        return {name: registry.definition(name).version for name in names}

    for order in permutations(parts):
        assert found(merge(*order)) == {
            "demo_a": "1.10",
            "demo_b": "1.10",
            "demo_a@1.9": "1.9",
            "demo_b@1.9": "1.9",
            "demo_a@1.10": "1.10",
            "demo_b@1.10": "1.10",
        }
        assert len(merge(*order).tools) == 3


def test_parts_without_a_name_in_common_merge_and_merge_again() -> None:
    parts = [bound(tool(name), echo) for name in "abc"]
    whole = merge(merge(), merge(*parts[:2]), parts[2])
    assert [each.name for each in whole.tools] == ["a", "b", "c"]
    assert {name: whole.definition(f"demo_{name}").name for name in "abc"} == dict(
        zip("abc", "abc", strict=True)
    )


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("demo_listIssue", ["demo_listIssues"]),
        ("demo_getIsue", ["demo_getIssue"]),
        ("demo_xIssue", ["demo_aIssue", "demo_bIssue"]),
        ("nothing like it", []),
    ],
)
def test_one_name_is_suggested_unless_others_match_as_well(asked: str, nearest: list[str]) -> None:
    table = ["demo_listIssues", "demo_getIssue", "demo_getIssues", "demo_aIssue", "demo_bIssue"]
    details = unknown(table, asked).details
    assert sorted(details["nearest"]) == nearest


def test_a_tool_without_a_version_answers_any_that_no_other_has() -> None:
    tools = [tool("a", aliases=("demo_b",)), tool("a", version="2")]
    methods = [ToolDefinition(**{**vars(one), "method": f"a{one.version}"}) for one in tools]
    registry = bind_service(service(*methods), {"a": echo, "a2": echo})
    for name, version in (("a@1", ""), ("a@2", "2"), ("a", "2"), ("b@9", ""), ("a@", "")):
        assert registry.definition(f"demo_{name}").version == version
    with pytest.raises(ToolError, match="there is no tool `demo_c@1`"):
        registry.definition("demo_c@1")


def test_requests_of_any_number_of_versions_keep_one_plan() -> None:
    registry = bound(tool("a"), echo)

    async def main() -> None:
        for number in range(50):
            await registry.call(f"demo_a@{number}", {})

    asyncio.run(main())
    assert len(registry._plans) == 1
