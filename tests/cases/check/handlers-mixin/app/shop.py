from app.base import Orders
from generated.shop import ShopHandlers


class Shop(Orders, ShopHandlers):
    async def get_order(self, input): ...
