"""`python -m toolspec.serving`: `toolspec serve` where only the server is installed."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.command_options import (
    COMMAND_OPTIONS,
    EMPTY,
    CommandOption,
    options_from,
    package_in,
)
from toolspec.serving.errors import ServeError
from toolspec.serving.log import notice
from toolspec.serving.stores import stated_store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_USAGE, _INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped; return the exit status."""
    parser = _parser()
    values = vars(parser.parse_args(arguments))
    generated = values.pop("generated")
    package = values.pop("package") or package_in(generated)
    stated = frozenset(values)
    defaults = {option.name: option.default or None for option in COMMAND_OPTIONS}
    try:
        folder = str(Path(generated).resolve())
        values["store"] = stated_store(values.get("store", ""), os.environ, "")
        options = options_from(folder, package, {**defaults, **values}, stated)

        from toolspec.serving.start import start

        start(options)
    except ServeError as fault:
        notice(*fault.lines)
        return _USAGE
    except KeyboardInterrupt:
        return _INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m toolspec.serving",
        description="Serve compiled services to MCP clients, of 2025-11-25 and of 2026-07-28.",
    )
    parser.add_argument(
        "--generated",
        metavar="FOLDER",
        default="generated",
        type=_text,
        help="Folder of the generated package; default: generated.",
    )
    parser.add_argument(
        "--package",
        metavar="NAME",
        type=_text,
        help="Import name of the generated package; default: from its folder.",
    )
    for option in COMMAND_OPTIONS:
        parser.add_argument(option.words, **_settings(option))
    return parser


def _settings(option: CommandOption) -> dict[str, Any]:
    """Return an option as `add_argument` takes it; one that is not stated has no value."""
    common = {"dest": option.name, "help": option.help, "default": argparse.SUPPRESS}
    if isinstance(option.default, bool):
        return {**common, "action": "store_true"}
    return {
        **common,
        "action": "append" if option.repeated else "store",
        "metavar": option.metavar or None,
        "choices": option.choices or None,
        "type": _text if isinstance(option.default, str) else _number(option),
    }


def _text(value: str) -> str:
    if not value.strip():
        raise argparse.ArgumentTypeError(EMPTY)
    return value


def _number(option: CommandOption) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if not option.is_within(value):
            raise argparse.ArgumentTypeError(f"{value} is not {option.limits}")  # noqa: EM102, TRY003 - one place
        return value

    return number


if __name__ == "__main__":  # a worker process imports this module as well
    sys.exit(main())
