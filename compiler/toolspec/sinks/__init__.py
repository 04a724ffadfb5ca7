"""Where text of a spec leaves the compiler: one literal function for each kind of output, and no other.

Python, JSON, Markdown, and a terminal. Whatever is not written through one of them is our own text.
"""
