"""Kinds of changes of what operators and integrators depend on."""
