"""Tests: `python -m unittest`, or pytest."""
