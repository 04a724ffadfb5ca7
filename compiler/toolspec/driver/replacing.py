"""Atomic replacement of a file."""

from __future__ import annotations

from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Replace a file with a UTF-8 text. Raises OSError, and then nothing is changed."""
    from tempfile import TemporaryDirectory

    # In a folder of its own the new file gets the default permissions.
    with TemporaryDirectory(dir=path.parent, prefix=".toolspec-") as folder:
        made = Path(folder) / path.name
        made.write_text(text, encoding="utf-8", newline="\n")
        made.replace(path)
