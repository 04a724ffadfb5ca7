"""Incremental compilation, in the folder `.toolspec-cache/`."""
