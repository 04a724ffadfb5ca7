"""Names of a program, assigned in one place and checked for collisions."""

from toolspec.frontend.naming.collisions import claims
from toolspec.frontend.naming.program import name_program, tool_names

__all__ = ["claims", "name_program", "tool_names"]
