"""Kinds of changes of how a call proceeds."""
