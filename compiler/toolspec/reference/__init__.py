"""Generator of the reference documentation, from declarations in the compiler's code.

No command runs it and it is no part of users' output: it writes `generated/reference/`.
"""
