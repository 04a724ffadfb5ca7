"""Output of `toolspec call`: results and chunks to stdout, progress and errors to stderr."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from toolspec.sinks.terminal import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.syntax.nodes import JsonObject


def show_result(value: object, *, raw: bool) -> None:
    """Print a result as JSON, indented for a person; `raw` prints a string as its text."""
    if raw and isinstance(value, str):
        _out(value, end="\n")
        return
    is_read = sys.stdout.isatty()
    _out(_json(value, indent=2 if is_read else None), end="\n")


def show_chunks(chunks: Iterable[object]) -> None:
    """Print each chunk as it arrives: text as it is, anything else as a line of JSON."""
    text = ""
    for chunk in chunks:
        if isinstance(chunk, str):
            text = chunk or text
            _out(chunk, end="")
        else:
            _out(_json(chunk, indent=None), end="\n")
    if sys.stdout.isatty() and text and not text.endswith("\n"):
        _out("", end="\n")


def show_progress(value: float | None, total: float | None, message: str | None) -> None:
    """Print a progress report as one line."""
    reached = "" if value is None else f"{value:g}"
    counted = f"{reached}/{total:g}" if reached and total is not None else reached
    print(" ".join(filter(None, (counted, printable(message or "")))), file=sys.stderr)


def show_error(wire: JsonObject, *, as_json: bool) -> None:
    """Print an error of a tool: one line, and one for each invalid field."""
    error = wire["error"]
    if as_json or not isinstance(error, dict):
        # In ASCII and without the commands of CI services; for a program it is the same JSON.
        text = json.dumps({"error": error}, separators=(",", ":"))
        print(text.replace("##", "#\\u0023"), file=sys.stderr)
        return
    print(f"toolspec: {printable(str(wire['text']))}", file=sys.stderr)
    fields, details = error.get("field_errors"), error.get("details")
    for each in fields if isinstance(fields, list) else []:
        if isinstance(each, dict):
            said = f"{each.get('path')}: {each.get('message')}"
            print(f"  {printable(said)}", file=sys.stderr)
    if isinstance(details, dict) and isinstance(details.get("hint"), str):
        print(f"  hint: {printable(str(details['hint']))}", file=sys.stderr)


def _json(value: object, indent: int | None) -> str:
    separators = (",", ": ") if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def _out(text: str, *, end: str) -> None:
    """Print to stdout at once; terminal control characters are escaped."""
    shown = printable_lines(text) if sys.stdout.isatty() else text
    print(shown, end=end, flush=True)
