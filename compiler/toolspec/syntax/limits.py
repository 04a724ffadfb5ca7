"""The limits that every document keeps, in whichever syntax it is written."""

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
