"""Lint rules, one file each: found by their place in `<family>/<slug>.py`, wired nowhere."""
