"""Lint rules, one module each, discovered by their path `<family>/<slug>.py`."""
