"""Options of the application for other ASGI servers, which `TOOLSPEC_SERVE` has as JSON."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.command_options import (
    COMMAND_OPTIONS,
    EMPTY,
    CommandOption,
    options_from,
    package_in,
)
from toolspec.serving.errors import ServeError, listed, nearest
from toolspec.serving.options import VARIABLE, Options
from toolspec.serving.stores import stated_store
from toolspec.shared.records import as_dict, replace

if TYPE_CHECKING:
    from typing import Any

_OWN = (
    CommandOption(
        "folder", "Folder of the generated package.", default="generated", flag="--generated"
    ),
    CommandOption("package", "Import name of the generated package."),
    CommandOption(
        "approve_tiers",
        "Who asks for approval in the risk tiers 2 and 3.",
        choices=("host", "ask", "auto"),
        repeated=True,
    ),
    CommandOption("sessions", "Keep sessions of clients of 2025 in this process.", default=False),
    CommandOption(
        "key",
        "Key that seals the state of rounds of 2026.",
        pattern="([0-9A-Fa-f]{2})+",
        advice="write bytes as hex digits",
    ),
    CommandOption("build", "The only build to serve."),
)
_IGNORED = {
    *("transport", "reload", "replica", "build"),
    *("head_timeout", "body_timeout", "max_connections"),
}
"""Keys that `Options.to_text` writes, and that have no effect in another server."""
_ALL = {option.name: option for option in (*_OWN, *COMMAND_OPTIONS)}
APP_KEYS = {name: option for name, option in _ALL.items() if name not in _IGNORED}
"""The options that have an effect, by their keys."""
_DEFAULTS = as_dict(Options(folder="generated", package=""))


def app_options(text: str) -> Options:
    """Return the options in a JSON text, with the defaults of the command.

    Raises ServeError listing every mistake, without values, since one may be a password.
    """
    if not text:
        heading = f"`{VARIABLE}` is empty: write options as JSON, such as `{{}}`"
        raise ServeError(heading)
    try:
        stated: object = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ServeError(f"`{VARIABLE}` is not valid JSON: {problem}") from None  # noqa: EM102, TRY003 - one place
    if not isinstance(stated, dict):
        heading = f"`{VARIABLE}` is not a JSON object"
        raise ServeError(heading)
    unknown = [key for key in stated if key not in _ALL]
    problems = [_unknown(key) for key in unknown]
    problems += filter(None, (_problem(_ALL[key], stated[key]) for key in stated if key in _ALL))
    if unknown:
        problems.append(f"the keys are {listed(tuple(APP_KEYS))}")
    if problems:
        heading = f"`{VARIABLE}` has no valid server options:"
        raise ServeError(heading, problems)
    return _options({**_DEFAULTS, **stated, "transport": "http"})


def _options(values: dict[str, Any]) -> Options:
    """Return options with valid values. Raises ServeError for those that exclude each other."""
    values = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    folder, package = values["folder"], values["package"] or package_in(values["folder"])
    stated = frozenset(name for name, value in values.items() if value != _DEFAULTS[name])
    values["store"] = stated_store(values["store"], os.environ, "")
    options = options_from(str(Path(folder).resolve()), package, values, stated)
    return replace(
        options,
        approve_tiers=values["approve_tiers"],
        sessions=values["sessions"],
        key=values["key"],
    )


def _unknown(key: str) -> str:
    """Return a line about a key that there is not, with the one of the same option, or the nearest."""
    of_options = {_word(option.words): name for name, option in APP_KEYS.items()}
    name = of_options.get(_word(key))
    hint = f": write `{name}`" if name else nearest(key, tuple(APP_KEYS))
    return f"`{key}` is not a key{hint}"


def _word(words: str) -> str:
    return words.lstrip("-").replace("-", "_")


def _problem(option: CommandOption, value: object) -> str:
    """Return a line about the value of an option; empty if it is valid."""
    default: Any = _DEFAULTS[option.name]
    items = value if isinstance(value, list) else [value]
    has_type = all(type(item) is type(option.default) for item in items)
    if not has_type or isinstance(value, list) is not option.repeated:
        return f"`{option.name}` must be {_wanted(option)}"
    if (tuple(items) if option.repeated else value) == default:
        return ""
    if option.repeated and default and len(items) != len(default):
        return f"`{option.name}` must have {len(default)} items"
    return next(filter(None, (_item_problem(option, item) for item in items)), "")


def _item_problem(option: CommandOption, item: Any) -> str:
    if option.choices:
        is_choice = item in option.choices
        return "" if is_choice else f"`{option.name}` must be one of {listed(option.choices)}"
    if isinstance(item, int):
        return "" if option.is_within(item) else f"`{option.name}` must be {option.limits}"
    if not item:
        return f"`{option.name}`: {EMPTY}"
    is_written = not option.pattern or re.fullmatch(option.pattern, item)
    return "" if is_written else f"`{option.name}` cannot be used: {option.advice}"


def _wanted(option: CommandOption) -> str:
    """Return the type of an option in words of JSON."""
    if option.repeated:
        return "a list of texts"
    return {str: "a text", int: "a whole number", bool: "`true` or `false`"}[type(option.default)]
