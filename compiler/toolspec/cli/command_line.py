"""Command lines of `check`, `compile` and `fmt` without the application, whose import takes longest.

The tables repeat the options that Typer knows; a test compares the two. Only plain uses of them are
parsed here: the application reads, and explains, everything else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from toolspec.cli.exit_codes import Exit

_MOST_DIGITS = 18
FLAG, TEXT, TEXTS, NUMBER, LEVEL = "flag", "text", "texts", "number", "level"
_REPORT = {
    "--format": ("form", TEXTS),
    "--verbose": ("verbose", FLAG),
    "-v": ("verbose", FLAG),
}
_CHECKED = {
    **_REPORT,
    "--target": ("target", TEXTS),
    "-t": ("target", TEXTS),
    "--fail-on": ("fail_on", LEVEL),
    "--diff": ("diff", FLAG),
}
# For each option of a command: its parameter, and how its value is read. `--executor` is left to the
# application: an engine of the user's may need an interpreter that ends in order.
OPTIONS = {
    "check": {
        **_CHECKED,
        "--fix": ("fix", FLAG),
        "--unsafe-fixes": ("unsafe_fixes", FLAG),
    },
    "compile": {
        **_CHECKED,
        "--out": ("out", TEXT),
        "-o": ("out", TEXT),
        "--check": ("check", FLAG),
        "--watch": ("watch", FLAG),
        "-w": ("watch", FLAG),
        "--jobs": ("jobs", NUMBER),
        "-j": ("jobs", NUMBER),
        "--no-cache": ("no_cache", FLAG),
        "--adopt": ("adopt", FLAG),
        "--overwrite": ("overwrite", FLAG),
        "--prune": ("prune", FLAG),
        "--templates": ("templates", TEXT),
    },
    "fmt": {**_REPORT, "--check": ("check", FLAG), "--diff": ("diff", FLAG)},
}


def run(words: Sequence[str]) -> Exit | None:
    """Run a command; return its exit status, or None if the application has to read the words."""
    parsed = parse(words)
    if parsed is None:
        return None
    paths, options = parsed
    return _function(words[0])(paths, **options)


def parse(words: Sequence[str]) -> tuple[list[str], dict[str, Any]] | None:
    """Return the paths and the options of a command by parameter; None for unusual words."""
    if not words or words[0] not in OPTIONS:
        return None
    known = OPTIONS[words[0]]
    paths: list[str] = []
    options: dict[str, Any] = {}
    following = iter(words[1:])
    for word in following:
        if not word.startswith("-"):
            paths.append(word)
            continue
        name, equals, text = word.partition("=")
        if not word.startswith("--"):  # `-j4`
            name, equals, text = word[:2], word[2:3], word[2:]
        parameter, kind = known.get(name, ("", ""))
        if kind == FLAG and not equals:
            options[parameter] = True
            continue
        value = _value(kind, text if equals else next(following, ""))
        if value is None or text.startswith("="):
            return None
        options[parameter] = [*options.get(parameter, ()), value] if kind == TEXTS else value
    return paths, options


def _value(kind: str, text: str) -> object:
    """Return the value of an option; None for a text that the application has to read."""
    if text.startswith("-") or not text.strip():
        return None
    if kind in (TEXT, TEXTS):
        return text
    is_plain = text.isascii() and text.isdigit() and text[0] != "0"
    if kind == NUMBER and is_plain and len(text) <= _MOST_DIGITS:
        return int(text)
    if kind == LEVEL:
        from toolspec.cli.report_options import FailOn

        return next((level for level in FailOn if level == text), None)
    return None


def _function(command: str) -> Callable[..., Exit]:
    if command == "check":
        from toolspec.cli import checking

        return checking.run
    if command == "fmt":
        from toolspec.cli import formatting

        return formatting.run
    from toolspec.cli import compiling

    return compiling.run
