"""Kinds of changes of the errors that callers expect."""
