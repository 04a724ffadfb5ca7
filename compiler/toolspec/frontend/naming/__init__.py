"""Every name of a program, made in one place and proven unambiguous."""

from toolspec.frontend.naming.program import name_program, tool_names

__all__ = ["name_program", "tool_names"]
