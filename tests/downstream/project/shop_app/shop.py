"""Handlers of the shop service."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from toolspec.runtime import Context, ToolError

from generated.shop import ShopHandlers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from generated.shop import (
        AskOutput,
        ClearStockInput,
        ClearStockOutput,
        CountOrdersChunk,
        CountOrdersInput,
        ExportOrdersChunk,
        ExportOrdersInput,
        FindOrderInput,
        FindOrderOutput,
        PlaceOrderV1_0_0Input,
        PlaceOrderV1_0_0Output,
        PlaceOrderV2_0_0Input,
        PlaceOrderV2_0_0Output,
        PrintReceiptInput,
        PrintReceiptOutput,
        ShopCredentials,
        ShopSettings,
        ShowStockInput,
        ShowStockOutput,
    )

    Ctx = Context[ShopSettings, ShopCredentials]


class Shop(ShopHandlers):
    """Keeps orders and stock in memory."""

    def __init__(self) -> None:
        self.orders: dict[str, FindOrderOutput] = {"o1": {"id": "o1", "items": [{"sku": "tea", "count": 2}]}}
        self.stock = {"tea": 10, "salt": 3}

    def find_order(self, input: FindOrderInput, ctx: Ctx) -> FindOrderOutput:
        """Return an order; a plain function runs in a thread."""
        if input["id"] not in self.orders:
            raise ToolError.not_found(f"there is no order {input['id']}", details={"id": input["id"]})
        return self.orders[input["id"]]

    async def place_order_v1_0_0(self, input: PlaceOrderV1_0_0Input, ctx: Ctx) -> PlaceOrderV1_0_0Output:
        """Take the items from the stock."""
        order: PlaceOrderV1_0_0Output = {"id": f"o{len(self.orders) + 1}", "items": input["items"]}
        for number, item in enumerate(input["items"], 1):
            self.stock[item["sku"]] -= item["count"]
            ctx.progress(number, len(input["items"]), "items are packed")
        self.orders[order["id"]] = order
        ctx.log.info("order %s was placed", order["id"])
        return order

    async def verify_place_order_v1_0_0(
        self, input: PlaceOrderV1_0_0Input, output: PlaceOrderV1_0_0Output, ctx: Ctx
    ) -> str | None:
        """Return why the order is not there."""
        return None if output["id"] in self.orders else "the order is missing"

    async def revert_place_order_v1_0_0(
        self,
        input: PlaceOrderV1_0_0Input,
        output: PlaceOrderV1_0_0Output,
        metadata: Mapping[str, object],
        ctx: Ctx,
    ) -> str | None:
        """Put the items back."""
        order = self.orders.pop(output["id"], None)
        if order is None:
            return "the order is gone"
        for item in order["items"]:
            self.stock[item["sku"]] += item["count"]
        return None

    async def place_order_v2_0_0(
        self, input: PlaceOrderV2_0_0Input, ctx: Ctx
    ) -> PlaceOrderV2_0_0Output:
        """Place an order for one article."""
        return await self.place_order_v1_0_0({"items": [input]}, ctx)

    async def export_orders(
        self, input: ExportOrdersInput, ctx: Ctx
    ) -> AsyncIterator[ExportOrdersChunk]:
        """Yield every order."""
        for order in list(self.orders.values()):
            yield order

    async def count_orders(
        self, input: CountOrdersInput, ctx: Ctx
    ) -> AsyncIterator[CountOrdersChunk]:
        """Yield a growing count."""
        for number in range(len(self.orders) + 1):
            await asyncio.sleep(0)
            yield {"orders": number}

    async def print_receipt(self, input: PrintReceiptInput, ctx: Ctx) -> PrintReceiptOutput:
        """Return the bytes of a file, since the project sets `base64 = "bytes"`."""
        return b"%PDF-" + input["id"].encode()

    async def ask(self, input: str, ctx: Ctx) -> AskOutput:
        """Answer with the question and the currency that is configured."""
        return {"question": input, "currency": ctx.settings["currency"], "caller": ctx.caller}

    async def show_stock(self, input: ShowStockInput, ctx: Ctx) -> ShowStockOutput:
        """List what is left."""
        return [{"sku": sku, "left": left} for sku, left in self.stock.items()]

    async def clear_stock(self, input: ClearStockInput, ctx: Ctx) -> ClearStockOutput:
        """Forget all articles."""
        self.stock.clear()
