from __future__ import annotations

import asyncio
import itertools
import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from example_service import bound, echo, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.runtime import Context, Permission, Policy, PolicySource, Rule, ToolError
from toolspec.runtime.controls.policy import (
    _OPERATIONS,
    check_policy,
    decision_on_call,
    decision_on_permission,
)

NOTE = Permission(kind="file", resource="~/notes/a.md", operation="read")


def policy(*rules: Rule, skip: bool = False, name: str = "user") -> Policy:
    return Policy(sources=(PolicySource(name=name, rules=rules, skip=skip),))


def mode_of_call(given_policy: Policy | None, risk: int = 2) -> str:
    return decision_on_call(given_policy, tool(risk=risk)).mode


def mode_of(given_policy: Policy, permission: Permission = NOTE) -> str | None:
    decision = decision_on_permission(given_policy, tool(), permission)
    return None if decision is None else decision.mode


def test_without_a_rule_the_risk_decides() -> None:
    assert [mode_of_call(None, risk) for risk in range(4)] == ["auto", "auto", "ask", "ask"]
    elsewhere = policy(Rule(mode="off", tool="other_*"))
    assert [mode_of_call(elsewhere, risk) for risk in (0, 3)] == ["auto", "ask"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ((Rule(mode="off"), Rule(mode="auto", tool="demo_act")), "auto"),
        ((Rule(mode="auto"), Rule(mode="off", tool="demo_*")), "off"),
        ((Rule(mode="off", tool="demo_*"), Rule(mode="ask", tool="demo_a*")), "ask"),
        ((Rule(mode="auto", tool="demo_*"), Rule(mode="ask", tool="*_act")), "auto"),
        ((Rule(mode="auto", tool="demo*"), Rule(mode="off", tool="*_act")), "off"),
        ((Rule(mode="auto", tool="demo_act"), Rule(mode="off", tool="demo_act")), "off"),
        ((Rule(mode="auto", tool="demo_ac"),), "ask"),
        ((Rule(mode="auto", tool="emo_act"),), "ask"),
        ((Rule(mode="auto", permission="*"),), "ask"),
    ],
)
def test_inside_a_source_the_most_specific_rule_wins(
    rules: tuple[Rule, ...], expected: str
) -> None:
    for order in itertools.permutations(rules):
        assert mode_of_call(policy(*order)) == expected


def test_across_sources_off_wins_and_then_ask() -> None:
    def together(*modes: str) -> str:
        sources = tuple(
            PolicySource(name=str(index), rules=(Rule(mode=mode, tool="demo_act"),))  # type: ignore[arg-type]
            for index, mode in enumerate(modes)
        )
        decision = decision_on_call(Policy(sources=sources), tool(risk=2))
        assert modes[int(decision.source)] == decision.mode
        return decision.mode

    assert together("auto", "off", "ask") == "off"
    assert together("auto", "ask") == "ask"
    assert together("auto", "auto") == "auto"


def test_a_source_without_a_fitting_rule_says_nothing() -> None:
    sources = (
        PolicySource(name="a", rules=(Rule(mode="off", tool="other"),)),
        PolicySource(name="b", rules=(Rule(mode="auto"),)),
    )
    assert mode_of_call(Policy(sources=sources)) == "auto"


def test_skip_answers_questions_and_never_touches_off() -> None:
    assert mode_of_call(policy(Rule(mode="ask"), skip=True)) == "auto"
    assert mode_of_call(policy(Rule(mode="off"), skip=True)) == "off"
    strict = PolicySource(name="strict", rules=(Rule(mode="ask"),))
    lax = PolicySource(name="lax", rules=(Rule(mode="ask"),), skip=True)
    assert mode_of_call(Policy(sources=(lax, strict))) == "ask"
    assert mode_of_call(policy(skip=True)) == "ask"


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("file:~/notes/a.md", True),
        ("file:~/notes/a.md:read", True),
        ("file:~/notes/a.md:write", False),
        ("file:*", True),
        ("file:~/notes/*:read", True),
        ("file:~/notes/*:delete", False),
        ("*", True),
        ("*:read", True),
        ("web:*", False),
        ("file:~/notes", False),
        ("fil:*", False),
    ],
)
def test_permissions_are_kind_resource_and_operation(pattern: str, fits: bool) -> None:
    assert mode_of(policy(Rule(mode="auto", permission=pattern))) == ("auto" if fits else None)


def test_a_permission_is_not_read_as_another_operation() -> None:
    sly = Permission(kind="file", resource="/etc/passwd:read", operation="write")
    assert mode_of(policy(Rule(mode="auto", permission="file:*:read")), sly) is None
    port = Permission(kind="web", resource="localhost:8080", operation="GET")
    assert mode_of(policy(Rule(mode="auto", permission="web:localhost:8080")), port) == "auto"


def test_a_path_that_climbs_is_never_let_through_by_a_pattern() -> None:
    for resource in ("~/notes/../.ssh/id", "~\\notes\\..\\x", ".."):
        climbing = Permission(kind="file", resource=resource, operation="read")
        assert mode_of(policy(Rule(mode="auto", permission="file:*")), climbing) is None
        assert mode_of(policy(Rule(mode="off", permission="file:*")), climbing) == "off"
        exact = policy(Rule(mode="auto", permission=f"file:{resource}"))
        assert mode_of(exact, climbing) == "auto"
    dots = Permission(kind="file", resource="~/notes/a..b", operation="read")
    assert mode_of(policy(Rule(mode="auto", permission="file:~/notes/*")), dots) == "auto"


def test_of_rules_of_which_neither_is_narrower_the_stricter_wins() -> None:
    of_tool = Rule(mode="auto", tool="demo_act", permission="file:*")
    of_file = Rule(mode="off", permission="file:~/notes/*")
    assert mode_of(policy(of_tool, of_file)) == "off"
    both = Rule(mode="auto", tool="demo_act", permission="file:~/notes/*")
    assert mode_of(policy(of_tool, of_file, both)) == "auto"


def test_a_rule_for_a_tool_says_nothing_of_a_permission() -> None:
    assert mode_of(policy(Rule(mode="off", tool="demo_act"))) is None


SECRET = ("file", "~/secret/key", "read")
GET = ("web", "api.example", "GET")
ANY_METHOD = ("web", "api.example", "fetch")


@pytest.mark.parametrize(
    ("pattern", "declared"),
    [
        ("file:~/secret/*:*", SECRET),
        ("file:~/secret/key:*", SECRET),
        ("file:*:*", SECRET),
        ("*:*", SECRET),
        ("web:api.example:fetch", GET),
        ("*:fetch", GET),
        ("web:api.example:*", GET),
        ("web:api.example:GET", ANY_METHOD),
        ("web:api.*:DELETE", ANY_METHOD),
        ("*:GET", ANY_METHOD),
        ("file:~/secret/*", ("file", "~/**", "read")),
        ("file:~/secret/key", ("file", "~/secret/*", "read")),
        ("file:~/secret/key:read", ("file", "~/secret/k?y", "read")),
        ("file:*.pem:*", ("file", "~/secret/**", "write")),
        ("tool:demo_clear:*", ("tool", "demo_clear", "")),
        ("tool:fetch", ("tool", "fetch", "")),
    ],
)
def test_a_rule_stops_a_tool_whose_permission_may_include_what_it_forbids(
    pattern: str, declared: tuple[str, str, str]
) -> None:
    every_call = Rule(mode="auto", tool="demo_*")
    registry = bound(tool(permissions=(declared,)), echo)
    free = registry.with_controls(policy=policy(every_call))
    assert asyncio.run(free.call("demo_act")) is not None
    guarded = registry.with_controls(
        policy=policy(every_call, Rule(mode="off", permission=pattern))
    )
    with pytest.raises(ToolError) as caught:
        asyncio.run(guarded.call("demo_act"))
    assert caught.value.code == "forbidden"


@pytest.mark.parametrize(
    ("pattern", "declared"),
    [
        ("file:~/secret/*:write", SECRET),
        ("web:api.example:POST", GET),
        ("*:fetch", SECRET),
        ("*:read", ANY_METHOD),
        ("*:read", ("tool", "read", "")),
        ("file:~/other/*", ("file", "~/secret/*", "read")),
        ("file:*.pem", ("file", "~/secret/*.txt", "read")),
        ("web:api.example/pool*", ("web", "api.example/p?x=1", "GET")),
    ],
)
def test_a_rule_for_something_else_stops_nothing(
    pattern: str, declared: tuple[str, str, str]
) -> None:
    kind, resource, operation = declared
    permission = Permission(kind=kind, resource=resource, operation=operation)
    assert mode_of(policy(Rule(mode="off", permission=pattern)), permission) is None


@pytest.mark.parametrize(
    ("pattern", "operation", "mode"),
    [
        ("file:~/secret/*:read", "", "off"),
        ("file:~/secret/*:*", "", "off"),
        ("*:read", "", "off"),
        ("*:read", "READ", "off"),
        ("file:~/secret/*:write", "read", None),
        ("*:GET", "", None),
    ],
)
def test_a_request_without_an_operation_is_for_all_of_them(
    pattern: str, operation: str, mode: str | None
) -> None:
    async def act(_: object, ctx: Context) -> str:
        await ctx.request_permission("file:~/secret/key", "to read it", operation)
        return "done"

    rules = policy(Rule(mode="off", permission=pattern))
    registry = bound(tool(), act).with_controls(policy=rules, approver=lambda _: True)
    if mode is None:
        assert asyncio.run(registry.call("demo_act")) == "done"
        return
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert caught.value.code == "forbidden"


@pytest.mark.parametrize(
    ("pattern", "declared", "allows"),
    [
        ("web:api.example:fetch", GET, True),
        ("web:api.example:fetch", ("web", "api.example", ""), True),
        ("web:api.example:*", ANY_METHOD, True),
        ("web:api.example:GET", ANY_METHOD, False),
        ("web:api.example:GET", ("web", "api.example", ""), False),
        ("file:~/secret/*:read", ("file", "~/secret/key", ""), False),
        ("file:~/secret/*:*", SECRET, True),
        ("file:~/secret/*", ("file", "~/**", "read"), False),
        ("file:~/secret/*", ("file", "~/secret/**", "read"), True),
        ("web:api.example:get", GET, False),
    ],
)
def test_a_rule_allows_only_what_it_covers_whole(
    pattern: str, declared: tuple[str, str, str], allows: bool
) -> None:
    kind, resource, operation = declared
    permission = Permission(kind=kind, resource=resource, operation=operation)
    expected = "auto" if allows else None
    assert mode_of(policy(Rule(mode="auto", permission=pattern)), permission) == expected
    asking = policy(Rule(mode="ask", permission=pattern), skip=True)
    assert mode_of(asking, permission) == expected


def test_a_rule_about_a_part_is_not_outweighed_and_outweighs_nothing() -> None:
    permission = Permission(kind="web", resource="api.example", operation="fetch")
    every = Rule(mode="auto", tool="demo_act", permission="web:api.example:fetch")
    for mode in ("off", "ask"):
        part = Rule(mode=mode, permission="web:*:DELETE")
        assert mode_of(policy(every, part), permission) == mode
    forbidden = Rule(mode="off", permission="web:api.example")
    asked = Rule(mode="ask", tool="demo_act", permission="web:api.example:GET")
    assert mode_of(policy(forbidden, asked), permission) == "off"


def test_a_method_is_more_specific_than_any_method() -> None:
    permission = Permission(kind="web", resource="api.example", operation="GET")
    one, every = "web:api.example:GET", "web:api.example:fetch"
    rules = (Rule(mode="off", permission=one), Rule(mode="auto", permission=every))
    assert mode_of(policy(*rules), permission) == "off"
    rules = (Rule(mode="auto", permission=one), Rule(mode="off", permission=every))
    assert mode_of(policy(*rules), permission) == "auto"


def test_a_star_after_a_colon_still_matches_the_end_of_a_resource() -> None:
    port = Permission(kind="web", resource="localhost:8080", operation="GET")
    assert mode_of(policy(Rule(mode="auto", permission="web:localhost:*")), port) == "auto"
    rules = (
        Rule(mode="off", permission="web:localhost:80*"),
        Rule(mode="auto", permission="web:*"),
    )
    assert mode_of(policy(*rules), port) == "off"


def test_the_operations_of_rules_are_those_of_the_language() -> None:
    schema = json.loads(Path("schemas/service.v1.schema.json").read_text(encoding="utf-8"))
    operations = {
        kind: tuple(own["properties"]["op"]["enum"]) if "properties" in own else ()
        for each in schema["$defs"]["permission"]["allOf"]
        for kind, own in [(each["if"]["required"][0], each["then"])]
    }
    assert {kind: sorted(own) for kind, own in operations.items()} == {
        kind: sorted(own) for kind, own in _OPERATIONS.items()
    }


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("~/secret/*", "the permission has no kind"),
        ("api.example", "the permission has no kind"),
        ("fil:~/secret/*", "unknown kind `fil`"),
        ("https://api.example/*", "unknown kind `https`"),
        ("File:*", "unknown kind `File`"),
        ("file:~/secret/*:fetch", "unknown operation `fetch` of file"),
        ("file:~/secret/*:Read", "unknown operation `Read` of file"),
        ("file:~/secret/*:execute", "unknown operation `execute` of file"),
        ("file:~/secret/*:re*", "unknown operation `re*` of file"),
        ("file:~/secret/*:", "unknown operation `` of file"),
        ("web:api.example:get", "unknown operation `get` of web"),
        ("web:api.example:read", "unknown operation `read` of web"),
        ("web:api.example:P*", "unknown operation `P*` of web"),
        ("*:get", "unknown operation `get` of file and web and tool"),
        ("f*:GET", "unknown operation `GET` of file"),
        ("tool:demo_act:read", "unknown operation `read` of tool"),
        ("file:read", "the permission has no resource"),
        ("web:get", "the permission has no resource"),
        ("file::read", "the permission has no resource"),
        ("tool:", "the permission has no resource"),
    ],
)
def test_a_permission_that_cannot_match_is_refused_at_once(pattern: str, problem: str) -> None:
    rule = Rule(mode="off", permission=pattern)
    with pytest.raises(ValueError, match="the kinds and their operations are file") as caught:
        bound(tool(), echo).with_controls(policy=policy(rule))
    assert str(caught.value).startswith(
        f"source `user`: {rule!r}: {problem}; write `kind:resource`"
    )
    assert "file (read, write, delete, list), web (fetch, GET, HEAD," in str(caught.value)


@pytest.mark.parametrize(
    "pattern",
    [
        "*",
        "*secret*",
        "f*",
        "file:**",
        "file:r*",
        "*:read",
        "*:*",
        "file:*:write",
        "tool:fetch",
        "tool:github_*",
        "*:github_listRepositories",
        "web:localhost:8080",
        "web:localhost:80*",
        "web:[::1]:8080:GET",
        "file:C:/Users/*",
        "file:C:\\*:delete",
        "file:~/notes:todo:*",
    ],
)
def test_a_permission_that_can_match_is_accepted(pattern: str) -> None:
    check_policy(policy(Rule(mode="off", permission=pattern)))


texts = st.text(alphabet="ab:*", max_size=8)


@given(texts, texts.filter(lambda text: "*" not in text))
@settings(derandomize=True, max_examples=300)
def test_a_star_stands_for_any_text(pattern: str, name: str) -> None:
    definition = tool(full_name=name, risk=0)
    decision = decision_on_call(policy(Rule(mode="off", tool=pattern)), definition)
    assert (decision.mode == "off") == fnmatchcase(name, pattern)


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    definition = tool(full_name="a" * 2000, risk=0)
    hard = policy(Rule(mode="off", tool="*a" * 500 + "b"))
    assert decision_on_call(hard, definition).mode == "auto"


def test_a_mode_that_there_is_not_is_told_at_once() -> None:
    wrong = policy(Rule(mode="allow"), Rule(mode="ask"), Rule(mode="no"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"source `user`.*allow.*off|source `user`") as caught:
        bound(tool(), echo).with_controls(policy=wrong)
    assert "allow" in str(caught.value)
    assert "'no'" in str(caught.value)
    check_policy(None)


OFF = Rule(mode="off")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sources": PolicySource(name="a")}, ["it must be a tuple of `PolicySource`"]),
        ({"sources": (OFF, 5)}, ["must be a `PolicySource`", "a source is 5"]),
        ({"sources": (PolicySource(name="a", rules=OFF),)}, ["source `a`: `rules` is Rule("]),  # type: ignore[arg-type]
        ({"sources": (PolicySource(name="a", rules=("off",)),)}, ["a rule is 'off'"]),  # type: ignore[arg-type]
        (
            {"sources": (PolicySource(name="a", rules=(Rule(mode=["off"], tool=None),)),)},  # type: ignore[arg-type]
            ["the mode must be one of auto, ask, off", "`tool` and `permission` must be strings"],
        ),
    ],
)
def test_a_policy_of_other_types_is_told_at_once(wrong: dict[str, object], said: list[str]) -> None:
    with pytest.raises(ValueError, match=r"must be|is one of") as caught:
        bound(tool(), echo).with_controls(policy=Policy(**wrong))  # type: ignore[arg-type]
    lines = str(caught.value).split("; ")
    assert len(lines) == len(said)
    for line, part in zip(lines, said, strict=True):
        assert part in line


def test_a_tool_that_is_off_runs_for_nobody() -> None:
    registry = bound(tool(), echo).with_controls(
        policy=policy(Rule(mode="off", tool="demo_*"), name="team"), approver=lambda _: True
    )
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert (caught.value.category, caught.value.code) == ("permission", "forbidden")
    assert "`team`" in str(caught.value.details["hint"])


def test_a_rule_that_matches_no_tool_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    rules = (Rule(mode="off", tool="demo_akt"), Rule(mode="auto", tool="*_act"), Rule(mode="ask"))
    given = policy(*rules, name="team")
    registry = bound(tool(), echo).with_controls(policy=given)
    text = "source `team`: Rule(mode='off', tool='demo_akt') matches no tool"
    assert [each.getMessage() for each in caplog.records] == [f"the policy's {text}"]
    registry.with_controls(approver=lambda _: True).with_controls(
        policy=Policy(sources=given.sources, default=lambda _: "ask")
    )
    assert len(caplog.records) == 1
