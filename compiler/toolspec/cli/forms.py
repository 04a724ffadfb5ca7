"""Forms and pages of handlers at the terminal of `toolspec call`, and log messages on stderr."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.runtime.callbacks import (
        ClientCallbacks,
        ElicitResult,
        FormRequest,
        LogMessage,
        UrlRequest,
    )
    from toolspec.syntax.nodes import JsonObject, JsonValue


def terminal_callbacks() -> ClientCallbacks:
    """Return callbacks that ask the person at the terminal; without one, only messages are shown."""
    from toolspec.runtime.callbacks import ClientCallbacks

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return ClientCallbacks(log=_show_log)
    return ClientCallbacks(elicit=_fill_in, elicit_url=_open_page, log=_show_log)


def _fill_in(form: FormRequest) -> ElicitResult:
    """Ask for each field in a line. A line without text keeps the default; Ctrl-D cancels."""
    from toolspec.runtime.callbacks import ElicitResult

    _say(form.message)
    properties, required = form.schema.get("properties"), form.schema.get("required")
    content: JsonObject = {}
    for name, field in properties.items() if isinstance(properties, dict) else ():
        is_required = isinstance(required, list) and name in required
        try:
            value = _asked(name, field if isinstance(field, dict) else {}, is_required)
        except EOFError:
            return ElicitResult(action="cancel")
        if value is not None:
            content[name] = value
    return ElicitResult(action="accept", content=content)


def _asked(name: str, field: JsonObject, is_required: bool) -> JsonValue:
    """Return the value of a field; None for an empty one. Raises EOFError at the end of input."""
    default = field.get("default")
    label = field.get("title") or field.get("description") or name
    choices = _choices(field)
    parts = [f"  {label}", f" ({', '.join(choices)})" if choices else ""]
    parts.append(f" [{json.dumps(default, ensure_ascii=False)}]" if default is not None else "")
    while True:
        line = _read(f"{''.join(parts)}: ")
        if line:
            try:
                return _parsed(line, field, choices)
            except ValueError as problem:
                _say(f"  {problem}")
        elif default is not None or not is_required:
            return default


def _choices(field: JsonObject) -> list[str]:
    """Return the values that a field may have, of a list those of its items."""
    items = field.get("items")
    source = items if isinstance(items, dict) else field
    options = source.get("enum") or source.get("oneOf") or source.get("anyOf")
    return [
        str(option["const"] if isinstance(option, dict) else option)
        for option in (options if isinstance(options, list) else [])
    ]


def _parsed(line: str, field: JsonObject, choices: list[str]) -> JsonValue:
    """Return the value of a line. Raises ValueError with the reason why it has none."""
    kind = field.get("type")
    if kind == "boolean":
        answer = _WORDS.get(line.lower())
        if answer is None:
            text = f"`{line}` is neither y nor n"
            raise ValueError(text)
        return answer
    if kind in ("integer", "number"):
        with suppress(ValueError):
            number = int(line) if kind == "integer" else float(line)
            if isinstance(number, int) or isfinite(number):  # JSON has no other numbers
                return number
        text = f"`{line}` is not a{'n integer' if kind == 'integer' else ' number'}"
        raise ValueError(text)
    values = [part.strip() for part in line.split(",")] if kind == "array" else [line]
    for value in values:
        if choices and value not in choices:
            text = f"`{value}` is none of {', '.join(choices)}"
            raise ValueError(text)
    return [*values] if kind == "array" else line


_WORDS = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


def _open_page(page: UrlRequest) -> ElicitResult:
    from toolspec.runtime.callbacks import ElicitResult

    _say(page.message)
    _say(f"  {page.url}")
    try:
        is_accepted = _WORDS.get(_read("Open it? [y/N] ").lower(), False)
    except EOFError:
        return ElicitResult(action="cancel")
    return ElicitResult(action="accept" if is_accepted else "decline")


def _show_log(message: LogMessage) -> None:
    data = message.data
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    _say(f"{message.level}: {text}")


def _read(prompt: str) -> str:
    from toolspec.sinks.terminal import printable

    print(printable(prompt), end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def _say(text: str) -> None:
    from toolspec.sinks.terminal import printable

    print(printable(text), file=sys.stderr)
