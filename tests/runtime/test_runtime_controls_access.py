from __future__ import annotations

import asyncio
from typing import Any

import pytest
from example_service import bound, echo, tool
from toolspec.runtime import Caller, Context, Failure, Registry, ToolError

SCOPES = (("repo",), ("admin", "owner"))


def caught(registry: Registry, **options: object) -> ToolError:
    with pytest.raises(ToolError) as found:
        asyncio.run(registry.call("demo_act", {"a": 1}, **options))  # type: ignore[arg-type]
    return found.value


async def who(input: object, ctx: Context) -> object:
    return [ctx.caller, ctx.scopes]


def knows(context: Context) -> Caller | None:
    badge = (context.transport or {}).get("badge")
    return Caller(name="ada", scopes=("repo", "owner")) if badge == "t1" else None


async def knows_later(context: Context) -> Caller | None:
    await asyncio.sleep(0)
    return knows(context)


@pytest.mark.parametrize("authenticator", [knows, knows_later])
def test_an_authenticator_says_who_calls(authenticator: object) -> None:
    registry = bound(tool(scopes=SCOPES), who).with_controls(authenticator=authenticator)  # type: ignore[arg-type]
    answer = asyncio.run(registry.call("demo_act", transport={"badge": "t1"}, caller="mallory"))
    assert answer == ["ada", ["repo", "owner"]]


@pytest.mark.parametrize("authenticator", [knows, knows_later])
def test_who_is_not_known_is_refused_before_anything_else(authenticator: object) -> None:
    registry = bound(tool(arguments_schema={"required": ["b"]}), who)
    registry = registry.with_controls(authenticator=authenticator)  # type: ignore[arg-type]
    error = caught(registry, transport={"badge": "t2"})
    assert (error.category, error.code) == ("auth", "unauthenticated")
    assert not error.retryable


def test_on_error_is_told_of_failures_of_authentication_and_scopes() -> None:
    seen: list[str] = []

    async def note(failure: Failure) -> None:
        seen.append(failure.error.code)

    def expired(context: Context) -> Caller:
        message = "signed in too long ago"
        raise ToolError.auth(message, code="expired")

    registry = bound(tool(scopes=SCOPES), who).with_hooks(on_error=[note])
    assert caught(registry.with_controls(authenticator=expired)).code == "expired"
    assert caught(registry, scopes=("repo",)).code == "missing_scopes"
    assert seen == ["expired", "missing_scopes"]


def test_an_authenticator_that_breaks_lets_nobody_in(caplog: pytest.LogCaptureFixture) -> None:
    def breaks(context: Context) -> Caller:
        raise KeyError("s3cret")

    def leaves(context: Context) -> Caller:
        raise SystemExit(3)

    def wrong(context: Context) -> object:
        return "ada"

    for authenticator in (breaks, leaves, wrong):
        registry = bound(tool(), who).with_controls(authenticator=authenticator)  # type: ignore[arg-type]
        error = caught(registry)
        assert error.category == "internal"
        assert "s3cret" not in str(error.to_wire())
    assert "not a Caller or None" in caplog.text


@pytest.mark.parametrize(
    ("held", "missing"),
    [
        ((), [["repo"], ["admin", "owner"]]),
        (("admin",), [["repo"]]),
        (("repo",), [["admin", "owner"]]),
        (("repo", "owner"), None),
        (("repo", "admin", "more"), None),
        (("Repo", "owner"), [["repo"]]),
    ],
)
def test_all_scopes_are_needed_and_any_of_a_group_will_do(
    held: tuple[str, ...], missing: list[list[str]] | None
) -> None:
    registry = bound(tool(scopes=SCOPES), echo)
    if missing is None:
        assert asyncio.run(registry.call("demo_act", {"a": 1}, scopes=held)) == {"a": 1}
        return
    error = caught(registry, scopes=held)
    assert (error.category, error.code) == ("auth", "missing_scopes")
    assert error.details == {"missing": missing}
    for group in missing:
        assert " or ".join(f"`{scope}`" for scope in group) in error.message


def test_scopes_are_looked_at_before_the_arguments() -> None:
    registry = bound(tool(scopes=SCOPES, arguments_schema={"required": ["b"]}), echo)
    assert caught(registry, scopes=()).code == "missing_scopes"


def test_the_program_itself_holds_every_scope() -> None:
    registry = bound(tool(scopes=SCOPES), who)
    assert asyncio.run(registry.call("demo_act")) == [None, None]


def test_a_caller_of_whom_nobody_knows_the_scopes_has_none() -> None:
    registry = bound(tool(scopes=SCOPES), who)
    registry = registry.with_controls(authenticator=lambda _: Caller(name="ada"))
    assert caught(registry).code == "missing_scopes"
    answer = asyncio.run(registry.call("demo_act", scopes=("repo", "owner")))
    assert answer == ["ada", ["repo", "owner"]]


def test_the_authenticators_scopes_win_over_the_transports() -> None:
    registry = bound(tool(scopes=SCOPES), who)
    registry = registry.with_controls(authenticator=lambda _: Caller(name="ada", scopes=()))
    assert caught(registry, scopes=("repo", "owner")).code == "missing_scopes"


def test_a_tool_without_scopes_runs_for_every_known_caller() -> None:
    registry = bound(tool(), who).with_controls(authenticator=lambda _: Caller(name="ada"))
    assert asyncio.run(registry.call("demo_act")) == ["ada", None]


def test_streams_are_held_to_the_same() -> None:
    async def tells(input: object) -> object:
        yield "a"

    from example_service import streaming

    registry = bound(streaming(scopes=SCOPES), tells)

    async def main() -> list[object]:
        return [chunk async for chunk in registry.stream("demo_tell", scopes=())]

    with pytest.raises(ToolError, match="needs the scope"):
        asyncio.run(main())


def test_an_option_that_there_is_not_is_told() -> None:
    with pytest.raises(
        TypeError, match="unknown call option 'scope'; expected one of caller, scopes"
    ):
        bound(tool(), who).call("demo_act", scope=("a",))  # type: ignore[call-arg]


@pytest.mark.parametrize("control", ["authenticator", "approver"])
def test_what_is_no_function_is_refused(control: str) -> None:
    wrong: dict[str, Any] = {control: "ada"}
    with pytest.raises(ValueError, match=rf"`{control}` is 'ada': it must be a function, or None"):
        bound(tool(), who).with_controls(**wrong)
