"""A program on the two services: prints what happened, a line of JSON each."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import TYPE_CHECKING

from toolspec.runtime import (
    Approval,
    BindError,
    Caller,
    Limits,
    Policy,
    PolicySource,
    Question,
    Rate,
    Registry,
    Retries,
    Rule,
    ToolError,
)
from toolspec.runtime.stores.sqlite import SqliteStore

from generated import build_registry
from generated.crm import CrmClient
from generated.crm import bind as bind_crm
from generated.shop import ShopClient, ShopSyncClient
from generated.shop import bind as bind_shop
from shop_app.crm import Crm
from shop_app.hooks import Hooks
from shop_app.shop import Shop

if TYPE_CHECKING:
    from toolspec.runtime import Call, Failure, Next

    from generated.crm import CrmCredentials, CrmInstance

QUESTIONS: list[str] = []
ITEMS = [{"sku": "tea", "count": 1}]


def show(name: str, value: object) -> None:
    """Print what a step came to."""
    print(json.dumps([name, value], sort_keys=True, default=str))


def approve_once(question: Question) -> bool:
    """Say yes, and remember the question."""
    QUESTIONS.append(question.tool.full_name)
    return True


def key_of(user: str | None, instance: CrmInstance) -> CrmCredentials:
    """Return the credentials of a user in a branch."""
    return {"key": f"{user}@{instance}"}


async def trace(call: Call, next: Next) -> object:
    """Pass every call on."""
    return await next()


async def note_error(failure: Failure) -> None:
    """Print the category of an error."""
    show("failure", failure.error.category)


def build(store: SqliteStore, mode: str = "") -> tuple[Registry, Hooks]:
    """Return a registry with every control, and the hooks of the shop."""
    shop = Shop()
    hooks = Hooks(shop)
    parts = build_registry(
        shop=bind_shop(
            shop,
            settings={"token": "secret"},
            credentials={"access_token": "t"},
            hooks=hooks,
            log=logging.getLogger("shop"),
            mode=mode,
        ),
        crm=bind_crm(Crm(), credentials=key_of) if not mode else None,
    )
    rules = (Rule(mode="auto", permission="web:*"), Rule(mode="off", tool="shop_clear*"))
    policy = Policy(sources=(PolicySource(name="program", rules=rules),))
    controlled = parts.with_controls(
        policy=policy,
        approver=approve_once,
        limits=Limits(concurrency=5, rates=(Rate(calls=100, seconds=60, shared="caller"),), idle=5, total=20),
        keys=store.keys,
        journal=store.journal,
    )
    return controlled.with_hooks(middleware=[trace], on_error=[note_error]), hooks


async def failing(name: str, registry: Registry, tool: str, arguments: dict[str, object], **options: object) -> None:
    """Print the category and code of the error that a call ends with."""
    try:
        show(name, await registry.call(tool, arguments, **options))  # type: ignore[arg-type]
    except ToolError as error:
        paths = [each.path for each in error.field_errors]
        show(name, [error.category, error.code, paths])


async def main(database: str) -> None:
    """Use everything."""
    store = SqliteStore(database)
    registry, hooks = build(store)
    show("tools", [tool.full_name for tool in registry.tools])

    show("find", await registry.call("shop_findOrder", {"id": "o1"}))
    for alias in ("shop_getOrder", "orders.find"):
        show(alias, await registry.call(alias, {"id": "o1"}))
    await failing("absent", registry, "shop_findOrder", {"id": "o404"})
    await failing("wrong", registry, "shop_findOrder", {"id": 5, "extra": 1})
    await failing("unknown", registry, "shop_nothing", {})
    await failing("off", registry, "shop_clearStock", {})
    scopes = {"caller": "ann", "scopes": ("orders",)}
    await failing("no scope", registry, "shop_placeOrder@1.0.0", {"items": ITEMS}, **scopes)
    await registry.settled()
    hooks.steps.clear()
    progress: list[tuple[object, ...]] = []
    placed = await registry.call(
        "shop_placeOrder@2.0.0",
        {"sku": "salt", "count": 1, "idempotency_key": "key-of-the-program"},
        on_progress=lambda *all: progress.append(all),
    )
    again = {"sku": "salt", "count": 1, "idempotency_key": "key-of-the-program"}
    show("placed", placed)
    show("repeated", await registry.call("shop_placeOrder@2.0.0", again) == placed)
    await failing("key reused", registry, "shop_placeOrder@2.0.0", {**again, "count": 2})
    await registry.settled()
    show("steps", hooks.steps)

    # Keys of an earlier run of the program: one that ended, one whose process was killed.
    earlier = {"sku": "tea", "count": 1, "idempotency_key": "ended-before"}
    show("ended before", await registry.call("shop_placeOrder@2.0.0", earlier, caller="ann", scopes=("pay",)))
    killed = {"sku": "tea", "count": 1, "idempotency_key": "killed-before"}
    await failing("killed before", registry, "shop_placeOrder@2.0.0", killed, caller="ann", scopes=("pay",))

    show("stream", [chunk async for chunk in registry.stream("shop_exportOrders", {})])
    show("whole", await registry.call("shop_countOrders", {}))
    show("bytes", str(await registry.call("shop_printReceipt", {"id": "o1"})))
    show("deprecated", await registry.call("shop_ask", {"input": "How many?"}, caller="ann", scopes=()))
    show("from a model", await registry.call_from("openai", "shop_findOrder", '{"id": "o1"}'))

    shop = ShopClient(registry, approver=approve_once, retries=Retries(times=1))
    order = await shop.place_order_v1_0_0({"items": [{"sku": "tea", "count": 2}]}, idempotency_key="k1")
    show("client", order)
    show("client stream", [chunk["orders"] async for chunk in shop.count_orders()])
    show("no arguments", await shop.show_stock())
    await failing("sold out", registry, "shop_placeOrder@1.0.0", {"items": [{"sku": "salt", "count": 99}]})
    undone = await registry.revert_last()
    show("reverted", undone and undone.status)
    show("reverted all", [[each.status, each.message] for each in await registry.revert_all()])
    crm = CrmClient(registry, approver=approve_once)
    await crm.add_customer({"mail": "bob@example.com"}, instance="south")
    show("customers", await crm.list_customers(instance="south"))
    show("as written", await registry.call("customers.add", {"mail": "eve@example.com", "instance": "north"}))
    show("questions", QUESTIONS)

    ahead = Approval(tool="shop_placeOrder@1.0.0", digest="0" * 64, expires=1.0)
    await failing("late approval", registry, "shop_placeOrder@1.0.0", {"items": ITEMS}, approval=ahead)
    signed = registry.with_controls(authenticator=lambda context: Caller(name="guest", scopes=("orders",)))
    await failing("guest", signed, "shop_placeOrder@1.0.0", {"items": ITEMS})

    sandbox, _ = build(store, mode="sandbox")
    show("sandbox", sandbox.definition("shop_placeOrder").risk)
    try:
        bind_shop(object(), settings={"currency": 5})  # type: ignore[arg-type]
    except BindError as error:
        show("bind", len(str(error).splitlines()))
    await registry.settled()
    store.close()


def main_sync(database: str) -> None:
    """Use the client for programs without an event loop."""
    store = SqliteStore(database)
    registry, _ = build(store)
    with ShopSyncClient(registry, approver=lambda question: True) as shop:
        show("sync", shop.find_order({"id": "o1"})["id"])
        counts: list[object] = []
        shop.count_orders_with_callback(on_chunk=counts.append, on_complete=counts.append)
        show("sync stream", counts)
    store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
    main_sync(sys.argv[1])
