from __future__ import annotations

from typing import TYPE_CHECKING

from generated.shop import ShopHandlers

if TYPE_CHECKING:
    from generated.shop import GetOrderInput, GetOrderOutput

class Context:
    """Not the one of the runtime."""

class Shop(ShopHandlers):
  def get_order(self, input: GetOrderInput) -> GetOrderOutput:
    return {"id": input["id"]}
  # the end of the class

shop = Shop()
