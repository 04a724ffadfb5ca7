"""Sides of a comparison: the facts of compiled services, and of lists of tools."""
