"""Kinds of changes of what callers read."""
