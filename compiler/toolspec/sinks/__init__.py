"""Escaping of spec text for each kind of output: one literal function per language.

Python, JSON, Markdown, XML, YAML and terminal. Text written in any other way comes from the
compiler.
"""
