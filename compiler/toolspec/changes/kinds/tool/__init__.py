"""Kinds of changes of which tools there are, and what they are called."""
