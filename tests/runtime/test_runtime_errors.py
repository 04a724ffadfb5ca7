from __future__ import annotations

import asyncio
import copy
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import pytest
from example_service import bound, service, streaming, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec import runtime
from toolspec.runtime import (
    ApprovalPending,
    BindError,
    FieldError,
    RuntimeVersionError,
    ToolError,
    bind_service,
    not_implemented,
    require_runtime,
)
from toolspec.runtime import handshake as handshake_module
from toolspec.runtime.settings import ConfigurationError
from toolspec.runtime.stores import StoreError
from toolspec.runtime.values import NotJsonError
from toolspec.shared.error_categories import CATEGORIES

if TYPE_CHECKING:
    from toolspec.runtime.errors import Category
    from toolspec.shared.json_values import JsonObject


def raised(problem: BaseException, **fields: object) -> ToolError:
    async def fails(input: object) -> object:
        raise problem

    with pytest.raises(ToolError) as caught:
        asyncio.run(bound(tool(**fields), fails).call("demo_act", request_id="r1"))
    return caught.value


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_category_has_its_factory(category: str) -> None:
    error = getattr(ToolError, category)("it did not work")
    assert (error.category, error.code, error.message) == (category, category, "it did not work")
    assert error.retryable is (category in {"rate_limit", "unavailable"})


def test_the_wire_form_has_a_line_and_an_envelope() -> None:
    error = raised(
        ToolError.rate_limit(
            "too many\ncalls \x1b[31m",
            code="burst",
            retry_after_ms=1500,
            field_errors=[FieldError(path="$.a", code="type", message="is wrong")],
            details={"limit": 3, "at": {1}},
        )
    )
    assert error.to_wire() == {
        "text": "too many calls [31m (burst, request r1)",
        "error": {
            "code": "burst",
            "category": "rate_limit",
            "message": "too many calls [31m",
            "retryable": True,
            "request_id": "r1",
            "retry_after_ms": 1500,
            "field_errors": [{"path": "$.a", "code": "type", "message": "is wrong"}],
            "details": {"limit": 3, "at": "(omitted: set is not a JSON type)"},
        },
    }


def test_the_wire_form_can_always_be_encoded() -> None:
    error = ToolError("c", "a lone \ud800 surrogate", details={"x": "\udfff"})
    json.dumps(error.to_wire(), ensure_ascii=False, allow_nan=False).encode()


def test_an_error_made_of_anything_can_be_sent() -> None:
    odd: Any = "\ud800\n"
    error = ToolError(
        odd,
        odd,
        odd,
        retry_after_ms=10**5000,
        field_errors=[FieldError(path=odd, code=odd, message=odd)],
        details={odd: 1, "at": odd},
    )
    wire = json.dumps(error.to_wire(), ensure_ascii=False, allow_nan=False).encode()
    told = json.loads(wire)["error"]
    assert (told["category"], "retry_after_ms" in told) == ("internal", False)


@pytest.mark.parametrize("problem", [RuntimeError("/home/ada/.secret"), SystemExit(3), KeyError()])
def test_an_unexpected_exception_is_logged_and_its_text_kept_inside(
    problem: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    error = raised(problem)
    assert (error.category, error.code) == ("internal", "internal")
    assert error.__cause__ is problem
    assert "secret" not in json.dumps(error.to_wire())
    assert "demo_act r1: failed unexpectedly" in caplog.text
    assert type(problem).__name__ in caplog.text


def test_a_system_exit_in_a_worker_thread_is_internal_too() -> None:
    def exits(input: object) -> object:
        raise SystemExit(3)

    with pytest.raises(ToolError, match="internal"):
        asyncio.run(bound(tool(), exits).call("demo_act"))


def test_a_keyboard_interrupt_passes() -> None:
    async def interrupted(input: object) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(bound(tool(), interrupted).call("demo_act"))


def test_one_error_constant_may_be_raised_by_many_calls() -> None:
    class GoneError(ToolError):
        """An error of a service's own."""

    constant = GoneError("gone", "it is gone", "not_found")

    async def fails(input: object) -> object:
        raise constant

    registry = bound(tool(), fails)

    async def main() -> list[object]:
        calls = (registry.call("demo_act", request_id=str(n)) for n in range(5))
        return await asyncio.gather(*calls, return_exceptions=True)

    errors = asyncio.run(main())
    assert all(isinstance(error, GoneError) for error in errors)
    assert [error.request_id for error in errors] == ["0", "1", "2", "3", "4"]  # type: ignore[attr-defined]
    assert constant.request_id == ""


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"mutation": True}, False),
        ({"read_only": True}, True),
        ({"idempotent": True}, True),
        ({"idempotency": "optional"}, False),
    ],
)
def test_a_timeout_is_retryable_only_where_a_repeat_is_safe(
    fields: dict[str, object], expected: bool
) -> None:
    assert raised(ToolError.timeout("too slow"), **fields).retryable is expected


def test_a_key_makes_no_timeout_retryable() -> None:
    async def slow(input: object) -> object:
        message = "too slow"
        raise ToolError.timeout(message)

    registry = bound(tool(idempotency="optional", mutation=True), slow)
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act", {"idempotency_key": "k"}))
    assert not caught.value.retryable


def test_what_is_stated_wins_over_what_is_declared_and_that_over_the_category() -> None:
    declared = {"errors": (("busy", "the queue is full", True),)}
    assert raised(ToolError.conflict("full", code="busy"), **declared).retryable
    assert not raised(
        ToolError.conflict("full", code="busy", retryable=False), **declared
    ).retryable
    assert not raised(ToolError.conflict("full"), **declared).retryable


def test_an_output_error_is_never_retryable() -> None:
    assert not raised(ToolError.output("broken", retryable=True)).retryable


def test_stubs_answer_not_implemented_plain_and_streaming() -> None:
    class Stubs:
        async def act(self, input: object, ctx: object) -> object:
            raise not_implemented("demo_act")

        async def tell(self, input: object, ctx: object) -> object:
            raise not_implemented("demo_tell")
            yield

    registry = bind_service(service(tool(), streaming()), Stubs())
    for name in ("demo_act", "demo_tell"):
        with pytest.raises(ToolError) as caught:
            asyncio.run(registry.call(name))
        error = caught.value
        assert (error.code, error.category, error.retryable) == (
            "not_implemented",
            "unavailable",
            False,
        )
        assert error.message == f"`{name}` is not implemented"


@pytest.mark.parametrize(
    ("generated", "runtime", "fits", "remedy"),
    [
        ("0.1.0", "0.1.7", True, ""),
        ("0.1.0", "0.2.0", False, "run `toolspec compile` again with 0.2.0"),
        ("0.2.0", "0.1.0", False, "install toolspec-runtime 0.2.0"),
        ("1.2.0", "1.4.0", True, ""),
        ("1.5.0", "1.4.0", False, "install toolspec-runtime 1.5.0"),
        ("1.4.0", "2.0.0", False, "run `toolspec compile` again with 2.0.0"),
    ],
)
def test_the_handshake_names_both_versions(
    generated: str, runtime: str, fits: bool, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshake_module, "__version__", runtime)
    if fits:
        require_runtime(generated)
        return
    with pytest.raises(RuntimeVersionError) as caught:
        require_runtime(generated)
    assert f"generated by toolspec {generated}" in str(caught.value)
    assert f"is toolspec {runtime}: {remedy}" in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    category=st.sampled_from(("auth", "conflict", "rate_limit", "output", "internal")),
    texts=st.tuples(st.text(), st.text()),
    retryable=st.booleans(),
    wait=st.none() | st.integers(0, 10**6),
    details=st.dictionaries(st.text(), JSON, max_size=3),
)
@settings(derandomize=True, max_examples=100)
def test_an_error_comes_back_from_its_wire_form(
    category: Category,
    texts: tuple[str, str],
    retryable: bool,
    wait: int | None,
    details: dict[str, object],
) -> None:
    fields = (FieldError(path="$.a", code="type", message=texts[1]),)
    error = ToolError(
        "some_code",
        texts[0],
        category,
        retryable=retryable,
        retry_after_ms=wait,
        field_errors=fields,
        details=details,
    ).sent("request", retryable=retryable)
    wire = error.to_wire()
    assert ToolError.from_wire(wire).to_wire() == wire


@given(wire=st.dictionaries(st.sampled_from(("text", "error")), JSON))
@settings(derandomize=True, max_examples=100)
def test_whatever_a_wire_carries_makes_an_error(wire: JsonObject) -> None:
    assert ToolError.from_wire(wire).category == "internal"


def test_odd_members_of_a_wire_form_are_left_out() -> None:
    odd: JsonObject = {
        "category": [],
        "retry_after_ms": True,
        "details": 3,
        "field_errors": [1, {}],
    }
    error = ToolError.from_wire({"error": odd})
    assert (error.category, error.retry_after_ms, error.details) == ("internal", None, {})
    assert [vars(field) for field in error.field_errors] == [
        {"path": "", "code": "", "message": ""}
    ]


def test_an_exception_as_the_message_of_an_error_is_its_text() -> None:
    error = ToolError.conflict(ValueError("taken"))  # type: ignore[arg-type]  # a common slip
    assert error.message == "taken"
    assert error.to_wire()["text"] == "taken (conflict)"


def test_a_keyed_call_whose_error_was_made_of_an_exception_is_over() -> None:
    async def act(input: object) -> object:
        raise ToolError.conflict(ValueError("taken"))  # type: ignore[arg-type]  # a common slip

    registry = bound(tool(idempotency="required"), act)
    for _ in range(2):
        with pytest.raises(ToolError, match="taken") as caught:
            asyncio.run(registry.call("demo_act", {"idempotency_key": "k"}))
        assert caught.value.code == "conflict"


def test_a_code_that_the_tool_does_not_list_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    raising = iter(("taken", "taken", "closed", "not_found", "busy"))

    async def fails(input: object) -> object:
        raise ToolError(next(raising), "no", "conflict")

    registry = bound(tool(errors=(("closed", "The shop is closed.", False),)), fails)

    async def call_all() -> None:
        for _ in range(5):
            with pytest.raises(ToolError):
                await registry.call("demo_act")

    asyncio.run(call_all())
    assert [each.getMessage().partition(": ")[2] for each in caplog.records] == [
        "raised the error code `taken`, which its `errors` does not list",
        "raised the error code `busy`, which its `errors` does not list",
    ]


def test_a_code_of_the_runtime_is_not_logged_as_unlisted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def asks(input: object, ctx: Any) -> object:
        await ctx.request_permission("file:x", "to read it")
        return ""

    with pytest.raises(ToolError) as caught:
        asyncio.run(bound(tool(), asks).call("demo_act"))
    assert caught.value.code not in CATEGORIES
    assert "does not list" not in caplog.text


def test_an_unknown_option_of_an_error_is_refused() -> None:
    with pytest.raises(TypeError, match="codes"):
        ToolError.not_found("no", codes="a")
    assert ToolError.not_found("no").code == "not_found"
    assert ToolError.not_found("no", code="a", retryable=True).retryable


class FullError(ToolError):
    def __init__(self, shelf: str) -> None:
        super().__init__("full", f"{shelf} is full", "conflict", details={"shelf": shelf})
        self.shelf = shelf


ERRORS: tuple[Exception, ...] = (
    ToolError.rate_limit(
        "too many",
        code="burst",
        retryable=False,
        retry_after_ms=1500,
        field_errors=[FieldError(path="$.a", code="type", message="is wrong")],
        details={"limit": 3},
    ),
    ToolError.conflict("it exists").sent("r1", retryable=True),
    ToolError.internal("not stated"),
    ToolError.conflict(ToolError.internal("an error in place of its text")),  # type: ignore[arg-type]  # a common mistake
    FullError("the shelf"),
    BindError("handlers do not match", ["one is missing", "one is unknown"]),
    ConfigurationError(["two", "problems"], (FieldError(path="$", code="c", message="m"),)),
    NotJsonError("a set").under("b").under("a"),
    RuntimeVersionError("another version"),
    StoreError("it is closed"),
)

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda error: pickle.loads(pickle.dumps(error)),  # noqa: S301 - its own
}


def fields_of(problem: BaseException) -> object:
    fields = {
        name: [vars(item) if isinstance(item, FieldError) else item for item in value]
        if isinstance(value, tuple)
        else value
        for name, value in vars(problem).items()
    }
    wire = problem.to_wire() if isinstance(problem, ToolError) else None
    return type(problem), str(problem), problem.args, fields, wire


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_copy_of_an_error_has_every_field(error: Exception, copied: Callable[[Any], Any]) -> None:
    assert fields_of(copied(error)) == fields_of(error)


def test_an_error_with_notes_keeps_them_in_a_copy() -> None:
    error = ToolError.conflict("full")
    error.add_note("of the second shelf")
    assert COPIES["pickle"](error).__notes__ == ["of the second shelf"]


def test_every_public_exception_is_copied_here() -> None:
    public = {getattr(runtime, name) for name in runtime.__all__}
    exceptions = {
        item for item in public if isinstance(item, type) and issubclass(item, BaseException)
    }
    assert exceptions - {type(error) for error in ERRORS} == {ApprovalPending}
    assert type(copy.copy(ApprovalPending())) is ApprovalPending


def fills(shelf: str) -> None:
    message = f"{shelf} is full"
    raise ToolError.conflict(message, code="full", details={"shelf": shelf})


def test_an_error_leaves_a_pool_of_processes_usable() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:

        async def act(input: object) -> None:
            await asyncio.get_running_loop().run_in_executor(pool, fills, "the shelf")

        registry = bound(tool(), act)
        for _ in range(2):
            with pytest.raises(ToolError) as caught:
                asyncio.run(registry.call("demo_act"))
            assert (caught.value.code, caught.value.details) == ("full", {"shelf": "the shelf"})
