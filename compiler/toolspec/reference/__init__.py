"""Generator of the reference documentation, from declarations in the compiler's code.

`make reference` writes the pages to `generated/reference/`; no command of the compiler does.
"""
