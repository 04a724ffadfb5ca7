"""Environment variables, whose values may be in files that other variables name."""

from __future__ import annotations

from pathlib import Path

from toolspec.runtime.settings import ConfigurationError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "_FILE"
"""The end of a variable that names the file with the value of another one."""


def variable(environ: Mapping[str, str], name: str) -> str:
    """Return the value of a variable, or else the text of the file that `NAME_FILE` names.

    Without either, and for an empty variable, it is empty. Line breaks at the end of a file do not
    count. Raises ConfigurationError if both are set, or if the file cannot be read.
    """
    text, file = environ.get(name, ""), environ.get(name + FILE, "")
    if not file:
        return text
    if text:
        raise ConfigurationError([f"`{name}` and `{name}{FILE}` are both set: remove one"])
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8"
        raise ConfigurationError([f"the file in `{name}{FILE}`, {file}: {reason}"]) from None
