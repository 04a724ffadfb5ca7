"""Kinds of changes: a family is a folder, a kind a module with its manual beside it."""
