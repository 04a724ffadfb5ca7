from __future__ import annotations

import asyncio
import itertools
from fnmatch import fnmatchcase

import pytest
from example_service import bound, echo, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.runtime import Permission, Policy, PolicySource, Rule, ToolError
from toolspec.runtime.controls.policy import (
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
