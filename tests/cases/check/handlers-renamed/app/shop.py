from generated.shop import ShopHandlers


class Shop(ShopHandlers):
    async def get_odrer(self, input, ctx):
        return {}

    async def place_order(self, input, ctx, more):
        return {}

    async def verify_place_order(self, input, output, ctx): ...

    async def revert_place_order(self, input, output, metadata): ...

    async def watch_orders(self, input, ctx):
        return ""
