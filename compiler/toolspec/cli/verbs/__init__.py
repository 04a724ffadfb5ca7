"""One module a verb; its function's docstring is its help."""
