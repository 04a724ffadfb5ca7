"""Kinds of changes of what targets get of a tool."""
