"""Instances and modes of a service: arguments, settings, credentials, keys, approvals and reverts of each."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from toolspec.runtime import (
    BindError,
    Context,
    Question,
    Registry,
    ServiceDefinition,
    ToolDefinition,
    ToolError,
    approve,
    bind_service,
    merge,
)
from toolspec.runtime.settings import ConfigurationError
from toolspec.runtime.stores.sqlite import SqliteStore
from toolspec.serving.settings import settings_for

CHOICE = '"instance":{"type":"string","enum":["main","other"]}'
TEXT = f'{{"type":"object","properties":{{"text":{{"type":"string"}},{CHOICE}}},"required":["instance"]}}'
KEYED = (
    '{"type":"object","properties":{"idempotency_key":{"type":"string"},' + CHOICE + "},"
    '"required":["instance","idempotency_key"]}'
)
TOKEN = '{"type":"object","properties":{"token":{"type":"string"}},"required":["token"]}'  # noqa: S105 - a schema
ADDRESS = '{"type":"object","properties":{"address":{"type":"string"}},"required":["address"]}'
BOTH = ("main", "other")


def tool(name: str, arguments: str, **fields: Any) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        full_name=f"chat_{name}",
        method=name,
        arguments_schema=arguments,
        instances=BOTH,
        **fields,
    )


CHAT = ServiceDefinition(
    name="chat",
    settings_schema=ADDRESS,
    credentials_schema=TOKEN,
    auth="custom",
    instances=BOTH,
    tools=(
        tool("where", TEXT, read_only=True),
        tool("stream", TEXT, read_only=True, streaming=True, reduction="list"),
        tool("post", KEYED, idempotency="required", risk=1, mutation=True),
        tool("drop", TEXT, revert=True, risk=3, mutation=True),
    ),
)
BANK = ServiceDefinition(
    name="bank",
    credentials_schema=TOKEN,
    auth="custom",
    modes=("sandbox",),
    tools=(
        ToolDefinition(
            name="pay", full_name="bank_pay", method="pay", mutation=True, risk=3, revert=True
        ),
        ToolDefinition(name="look", full_name="bank_look", method="look", read_only=True),
    ),
)


def configured(what: str) -> dict[str, dict[str, str]]:
    return {name: {what: f"{what} of {name}"} for name in BOTH}


class Chat:
    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.reverted: list[Any] = []

    async def where(self, input: Any, ctx: Context[Any, Any]) -> object:
        seen = (dict(input), ctx.instance, ctx.settings["address"], ctx.credentials["token"])
        self.calls.append(seen)
        return ctx.instance

    async def stream(self, input: Any, ctx: Context[Any, Any]) -> Any:
        yield ctx.instance
        yield ctx.settings["address"]

    async def post(self, input: Any, ctx: Context[Any, Any]) -> object:
        self.calls.append((ctx.instance, ctx.idempotency_key))
        return ctx.instance

    async def drop(self, input: Any, ctx: Context[Any, Any]) -> object:
        return ctx.instance

    async def revert_drop(self, input: Any, output: Any, metadata: Any, ctx: Any) -> None:
        self.reverted.append((input, output, ctx.instance, ctx.credentials["token"]))


def chat(handlers: object = None, **options: Any) -> Registry:
    given = {"settings": configured("address"), "credentials": configured("token"), **options}
    return bind_service(CHAT, handlers or Chat(), **given)


class Bank:
    def __init__(self) -> None:
        self.modes: list[str] = []
        self.reverted: list[str] = []

    async def pay(self, input: Any, ctx: Context[Any, Any]) -> object:
        self.modes.append(ctx.mode)
        return True

    async def revert_pay(self, input: Any, output: Any, metadata: Any, ctx: Any) -> None:
        self.reverted.append(ctx.mode)

    async def look(self, input: Any) -> object:
        return True


def bank(mode: str = "", handlers: object = None) -> Registry:
    return bind_service(BANK, handlers or Bank(), credentials={"token": "t"}, mode=mode)


def test_the_argument_chooses_settings_and_credentials_and_is_stripped() -> None:
    handlers = Chat()
    registry = chat(handlers)
    for name in BOTH:
        call = registry.call("chat_where", {"instance": name, "text": "a"})
        assert asyncio.run(call) == name
    assert handlers.calls == [
        ({"text": "a"}, name, f"address of {name}", f"token of {name}") for name in BOTH
    ]


def test_a_stream_has_its_instance() -> None:
    async def chunks() -> list[object]:
        return [one async for one in chat().stream("chat_stream", {"instance": "other"})]

    assert asyncio.run(chunks()) == ["other", "address of other"]


@pytest.mark.parametrize("arguments", [{}, {"instance": "third"}, {"instance": 1}])
def test_a_call_without_a_known_instance_is_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(ToolError) as caught:
        asyncio.run(chat().call("chat_where", arguments))
    assert caught.value.category == "validation"


def test_a_provider_of_credentials_is_asked_for_the_instance() -> None:
    asked: list[object] = []

    async def provider(caller: str | None, instance: str) -> dict[str, object]:
        asked.append((caller, instance))
        return {"token": f"{caller} at {instance}"}

    handlers = Chat()
    registry = chat(handlers, credentials=provider)
    asyncio.run(registry.call("chat_where", {"instance": "other"}, caller="ada"))
    assert asked == [("ada", "other")]
    assert handlers.calls[0][-1] == "ada at other"


def test_what_does_not_fit_an_instance_is_reported_with_its_name() -> None:
    with pytest.raises(BindError) as caught:
        chat(settings={"main": {}, "othr": {"address": "x"}}, credentials={"main": {"token": 1}})
    text = str(caught.value)
    assert "settings for `othr`, which is not an instance" in text
    assert "instance `main`: setting" in text
    assert "instance `main`: credential" in text
    assert "instance `other`: setting" in text


def test_a_single_instance_needs_no_argument() -> None:
    where = ToolDefinition(name="where", full_name="chat_where", method="where", read_only=True)
    one = ServiceDefinition(**{**vars(CHAT), "instances": ("main",), "tools": (where,)})
    settings, credentials = {"main": {"address": "a"}}, {"main": {"token": "t"}}
    handlers = Chat()
    registry = bind_service(
        one, {"where": handlers.where}, settings=settings, credentials=credentials
    )
    assert asyncio.run(registry.call("chat_where")) == "main"
    assert handlers.calls == [({}, "main", "a", "t")]


def test_one_key_for_two_instances_is_two_calls() -> None:
    handlers = Chat()
    registry = chat(handlers)

    async def use() -> list[object]:
        return [
            await registry.call("chat_post", {"instance": name, "idempotency_key": "k"})
            for name in (*BOTH, *BOTH)
        ]

    assert asyncio.run(use()) == [*BOTH, *BOTH]
    assert handlers.calls == [("main", "k"), ("other", "k")]


def test_a_yes_that_is_remembered_holds_for_its_instance() -> None:
    asked: list[Any] = []

    def always(question: Question) -> str:
        asked.append(question.arguments)
        return "always"

    tools = (tool("post", TEXT, risk=2, mutation=True),)
    service = ServiceDefinition(**{**vars(CHAT), "tools": tools})
    made = bind_service(
        service,
        {"post": Chat().post},
        settings=configured("address"),
        credentials=configured("token"),
    )
    registry = made.with_controls(approver=always)  # type: ignore[arg-type]  # a choice

    async def use() -> None:
        for name in ("main", "main", "other"):
            await registry.call("chat_post", {"instance": name})

    asyncio.run(use())
    assert asked == [{"instance": "main"}, {"instance": "other"}]


@pytest.mark.parametrize("kept", [True, False], ids=["file", "memory"])
def test_a_revert_has_the_instance_of_its_call(tmp_path: Path, *, kept: bool) -> None:
    handlers = Chat()
    registry = chat(handlers).with_controls(approver=lambda _: True)
    store = SqliteStore(tmp_path / "store")
    if kept:
        registry = registry.with_controls(journal=store.journal)

    async def use() -> None:
        await registry.call("chat_drop", {"instance": "other", "text": "a"})
        outcome = await registry.revert_last()
        assert outcome is not None
        assert outcome.status == "reverted"

    asyncio.run(use())
    store.close()
    assert handlers.reverted == [({"text": "a"}, "other", "other", "token of other")]


def test_writes_in_a_sandbox_have_tier_1_and_run_unasked() -> None:
    handlers = Bank()
    registry = bank("sandbox", handlers)
    assert {one.full_name: (one.risk, one.mode) for one in registry.tools} == {
        "bank_pay": (1, "sandbox"),
        "bank_look": (0, "sandbox"),
    }
    assert asyncio.run(registry.call("bank_pay")) is True
    assert handlers.modes == ["sandbox"]
    with pytest.raises(ToolError) as caught:
        asyncio.run(bank("", handlers).call("bank_pay"))
    assert caught.value.code == "approval_required"


def test_an_unknown_mode_is_no_mode() -> None:
    with pytest.raises(BindError, match=r"no mode 'test'.*`sandbox`"):
        bank("test")
    with pytest.raises(BindError, match="no mode 'sandbox'"):
        chat(mode="sandbox")


def test_registries_of_two_modes_are_not_merged() -> None:
    with pytest.raises(BindError, match="different modes"):
        merge(bank("sandbox"), chat())


def test_an_approval_holds_in_one_mode() -> None:
    live = bank()
    yes = approve("bank_pay", {}, mode="sandbox")
    with pytest.raises(ToolError, match="in the mode `sandbox`"):
        asyncio.run(live.call("bank_pay", {}, approval=yes))
    assert asyncio.run(live.call("bank_pay", {}, approval=approve("bank_pay", {}))) is True


def test_a_live_registry_reverts_no_call_of_a_sandbox(tmp_path: Path) -> None:
    handlers, store = Bank(), SqliteStore(tmp_path / "store")
    sandbox = bank("sandbox", handlers).with_controls(journal=store.journal)
    live = bank("", handlers).with_controls(journal=store.journal)

    async def use() -> None:
        await sandbox.call("bank_pay")
        assert await live.revert_last() is None
        assert await live.revert_all() == ()
        outcome = await sandbox.revert_last()
        assert outcome is not None
        assert outcome.status == "reverted"

    asyncio.run(use())
    store.close()
    assert handlers.reverted == ["sandbox"]


def test_records_of_a_call_say_its_mode(caplog: pytest.LogCaptureFixture) -> None:
    class Handlers(Bank):
        async def look(self, input: Any) -> object:
            raise RuntimeError

    with caplog.at_level(logging.ERROR, "toolspec"), pytest.raises(ToolError):
        asyncio.run(bank("sandbox", Handlers()).call("bank_look"))
    (record,) = caplog.records
    assert record.mode == "sandbox"  # type: ignore[attr-defined]
    assert "mode=sandbox" in record.getMessage()


def test_settings_of_instances_and_modes_have_their_own_tables_and_variables() -> None:
    file = {
        "chat": {
            "instances": {
                "main": {"address": "a", "credentials": {"token": "t"}},
                "other": {"address": "b"},
            }
        },
        "bank": {
            "credentials": {"token": "live"},
            "modes": {"sandbox": {"credentials": {"token": "test"}}},
        },
    }
    environ = {"TOOLSPEC_CHAT_OTHER_CREDENTIALS_TOKEN": "u", "TOOLSPEC_CHAT_MAIN_ADDRESS": "c"}
    found = settings_for((CHAT, BANK), environ=environ, file=file)
    assert found["chat"].settings == {"main": {"address": "c"}, "other": {"address": "b"}}
    assert found["chat"].credentials == {"main": {"token": "t"}, "other": {"token": "u"}}
    assert found["bank"].credentials == {"token": "live"}
    sandbox = settings_for((BANK,), environ={}, file={"bank": file["bank"]}, mode="sandbox")
    assert sandbox["bank"].credentials == {"token": "test"}


def test_credentials_of_the_live_mode_are_not_used_in_a_sandbox() -> None:
    environ = {"TOOLSPEC_BANK_CREDENTIALS_TOKEN": "live"}
    file = {"bank": {"credentials": {"token": "live"}}}
    found = settings_for((BANK,), environ=environ, file=file, mode="sandbox")
    assert found["bank"].credentials is None


def test_misplaced_settings_are_reported() -> None:
    file = {"chat": {"address": "a", "instances": {"third": {"address": "c"}}}}
    with pytest.raises(ConfigurationError) as caught:
        settings_for((CHAT, BANK), environ={}, file={**file, "bank": {"modes": {"tset": {}}}})
    text = "\n".join(caught.value.problems)
    assert "`address` in the file is outside `[chat.instances.NAME]`" in text
    assert "`third` in the file is not an instance" in text
    assert "`tset` in the file is not a mode" in text
    assert "`chat.instances.main`: setting" in text
