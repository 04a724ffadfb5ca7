"""Escaping of spec text, one function for each output: Python, JSON, Markdown, XML, YAML, terminal.

Text that does not pass through one of them is the compiler's own.
"""
