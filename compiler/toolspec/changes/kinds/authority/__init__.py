"""Kinds of changes of what a person approved."""
