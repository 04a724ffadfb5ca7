class Demo:
    """Answers questions."""
