"""Kinds of changes of what callers send."""
