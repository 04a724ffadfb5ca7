from generated.shop import ShopStubs


class Shop(ShopStubs):
	pass