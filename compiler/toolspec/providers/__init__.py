"""Schema profiles of model providers, and the lowering of tools to them."""
