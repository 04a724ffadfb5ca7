"""Options of a server, which reach its worker processes as text."""

from __future__ import annotations

import json
from dataclasses import asdict

from toolspec.serving.errors import ServeError
from toolspec.shared.records import dataclass

VARIABLE = "TOOLSPEC_SERVE"
"""The environment variable with the options of `app`, as JSON."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a server.

    `folder` contains the generated package, imported as `package`. `hosts` are further names of an
    HTTP server besides its address. `sessions` says whether clients of 2025 keep a session with
    this process, which elicitation and tasks require. `key` (hex) seals the state of 2026 rounds
    and is shared by all processes of a server.
    """

    folder: str
    package: str
    handlers: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    settings: str = ""
    seed: int = 0
    mode: str = ""
    asks: bool = True
    verifier: str = ""
    no_auth: bool = False
    host: str = "127.0.0.1"
    port: int = 8000
    hosts: tuple[str, ...] = ()
    sessions: bool = False
    key: str = ""

    def to_text(self) -> str:
        """Return the options as text for `app`."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_text(text: str) -> Options:
        """Return the options in a text. Raises ServeError if it is invalid."""
        try:
            options = json.loads(text)
            lists = ("handlers", "services", "hosts")
            return Options(**{**options, **{name: tuple(options.get(name, ())) for name in lists}})
        except (ValueError, TypeError, AttributeError) as problem:
            raise ServeError(f"{VARIABLE} has no valid server options: {problem}") from problem  # noqa: EM102, TRY003 - one place
