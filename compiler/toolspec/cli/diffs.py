"""Prints diffs on the terminal, as `patch` accepts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.sinks.terminal import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable


def show(diffs: Iterable[str]) -> None:
    """Print diffs; a CR that ends a line stays, other control characters are escaped."""
    for diff in diffs:
        for line in diff.removesuffix("\n").split("\n"):
            plain = line.removesuffix("\r")
            console.say(printable_lines(plain) + line[len(plain) :])
