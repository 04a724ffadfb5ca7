"""Kinds of changes of what models and people read."""
