from collections.abc import AsyncIterator

from generated.shop import (
    GetOrderInput,
    GetOrderOutput,
    PlaceOrderInput,
    ShopHandlers,
    WatchOrderChunk,
)


class Shop(ShopHandlers):
    """Orders, ‘as they come’."""

    async def get_order(self, input: PlaceOrderInput, ctx) -> GetOrderOutput:
        return {"id": 1}

    async def place_odrer(self, input: PlaceOrderInput, ctx):
        yield 1

    async def watch_orders(self, input, ctx) -> AsyncIterator[str]:
        return iter("é")

    async def cancel_all(self, input, ctx): ...
