"""Command implementations, one module each; the function's docstring is its help."""
