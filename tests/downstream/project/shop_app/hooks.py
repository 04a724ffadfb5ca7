"""Hooks of the shop service."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolspec.runtime import ToolError

from generated.shop import ShopHooks

if TYPE_CHECKING:
    from toolspec.runtime import Call, Next, Outcome

    from shop_app.shop import Shop


class Hooks(ShopHooks):
    """Notes each step in `steps`."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.steps: list[str] = []

    async def check_open(self, call: Call) -> None:
        """Note the tool."""
        self.steps.append(f"check_open {call.tool.full_name}")

    async def timed(self, call: Call, next: Next) -> object:
        """Note that the service's middleware ran."""
        self.steps.append("timed")
        return await next()

    async def add_currency(self, call: Call, result: object) -> object:
        """Add the currency to orders."""
        if isinstance(result, dict) and "items" in result:
            return {**result, "currency": call.context.settings["currency"]}
        return None

    async def record_call(self, call: Call, outcome: Outcome) -> None:
        """Note how the call ended."""
        self.steps.append(f"record_call {outcome.status}")

    async def check_stock(self, call: Call) -> None:
        """Refuse an order for more than there is."""
        for item in cast("dict[str, list[dict[str, int]]]", call.input)["items"]:
            if self.shop.stock.get(str(item["sku"]), 0) < item["count"]:
                raise ToolError.conflict("too few are left", code="sold_out")

    async def traced(self, call: Call, next: Next) -> object:
        """Note that the tool's middleware ran."""
        self.steps.append("traced")
        return await next()

    async def hide_nothing(self, call: Call, result: object) -> object:
        """Leave the result as it is."""
        return None

    async def forget(self, call: Call, outcome: Outcome) -> None:
        """Note that the tool's last hook ran."""
        self.steps.append("forget")
