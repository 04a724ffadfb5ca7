"""Cache of compiles in `.toolspec-cache/`: analyses, and the output of the last compile."""
