"""A file put in the place of another in one step: whole, or not at all."""

from __future__ import annotations

from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Write a text as UTF-8 in the place of what is there. Raises OSError, and then nothing is changed."""
    from tempfile import TemporaryDirectory

    # In a folder of its own the new file gets the rights that any other would get.
    with TemporaryDirectory(dir=path.parent, prefix=".toolspec-") as folder:
        made = Path(folder) / path.name
        made.write_text(text, encoding="utf-8", newline="\n")
        made.replace(path)
