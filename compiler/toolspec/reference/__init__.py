"""Pages about the compiler itself, made from what its code declares: the reference documentation.

No command makes them and no user's output holds them: `generated/reference/` does.
"""
