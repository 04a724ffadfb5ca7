"""Kinds of changes of versions and deprecations."""
