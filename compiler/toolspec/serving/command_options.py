"""Options of the command that serves, for `toolspec serve` and for `python -m toolspec.serving`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.options import Options
from toolspec.serving.shutdown import LAST_SECONDS
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

EMPTY = "the value is empty"


@dataclass(frozen=True, slots=True)
class CommandOption:
    """An option of the command; `name` is also a field of `Options`, whose type the default has.

    A `repeated` option has a list of values. One that is `of_http` is refused on stdio. A stated value
    has to match `pattern` if there is one; `advice` says how it is written.
    """

    name: str
    help: str
    metavar: str = ""
    default: str | int | bool = ""
    choices: tuple[str, ...] = ()
    repeated: bool = False
    minimum: int | None = None
    maximum: int | None = None
    flag: str = ""
    of_http: bool = False
    pattern: str = ""
    advice: str = ""

    @property
    def words(self) -> str:
        """Return the option as it is written, such as `--no-auth`."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def is_text(self) -> bool:
        """Return whether values are text that must not be empty."""
        return isinstance(self.default, str) and not self.choices

    @property
    def limits(self) -> str:
        """Return the limits of a number, such as `from 1 to 65535`."""
        if self.maximum is None:
            return f"at least {self.minimum}"
        return f"from {self.minimum} to {self.maximum}"

    def is_within(self, number: int) -> bool:
        """Return whether a number is within the limits."""
        least, most = self.minimum, self.maximum
        return (least is None or number >= least) and (most is None or number <= most)


COMMAND_OPTIONS = (
    CommandOption(
        "handlers",
        "Handlers: an object, class, module, dict or Registry.",
        "[SERVICE=]MODULE:OBJECT",
        repeated=True,
    ),
    CommandOption(
        "upstream",
        "Services without handlers send the HTTP requests of their tools.",
        default=False,
    ),
    CommandOption(
        "private_upstream",
        "Send these requests to private and loopback addresses too.",
        default=False,
    ),
    CommandOption(
        "services",
        "A service to serve; repeat for several.",
        "NAME",
        repeated=True,
        flag="--service",
    ),
    CommandOption(
        "transport", "Transport of the server.", default="stdio", choices=("stdio", "http")
    ),
    CommandOption("host", "Address to bind for HTTP.", "HOST", "127.0.0.1", of_http=True),
    CommandOption(
        "port", "Port to bind for HTTP.", "PORT", 8000, minimum=1, maximum=65535, of_http=True
    ),
    CommandOption(
        "unix_socket",
        "Unix socket to listen on, instead of an address and port.",
        "FILE",
        of_http=True,
    ),
    CommandOption(
        "path",
        "Path of the server in its URL.",
        "PATH",
        "/mcp",
        of_http=True,
        pattern=r"(?!/(livez|readyz|\.well-known)(/|$))(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+",
        advice="write it as in `/tools/mcp`; `/livez`, `/readyz` and `/.well-known` are taken",
    ),
    CommandOption(
        "hosts",
        "Host name that HTTP clients may use.",
        "HOST",
        repeated=True,
        flag="--allow-host",
        of_http=True,
    ),
    CommandOption(
        "origins",
        "Origin of web pages that may call the server.",
        "ORIGIN",
        repeated=True,
        flag="--allow-origin",
        of_http=True,
    ),
    CommandOption(
        "proxies",
        "Address or network of a proxy whose headers name the client, or `unix`.",
        "ADDR",
        repeated=True,
        flag="--trust-proxy",
        of_http=True,
    ),
    CommandOption("workers", "Number of HTTP processes.", "N", 1, minimum=1, of_http=True),
    CommandOption(
        "replica",
        "Name of this server among several, with which the ids of its sessions begin.",
        "NAME",
        of_http=True,
        pattern=r"[A-Za-z0-9-]{1,32}",
        advice="write letters, digits and `-`, at most 32",
    ),
    CommandOption(
        "head_timeout",
        "Seconds in which a client sends the head of a request.",
        "SECONDS",
        10,
        minimum=1,
        of_http=True,
    ),
    CommandOption(
        "body_timeout",
        "Seconds in which a client sends the body of a request.",
        "SECONDS",
        60,
        minimum=1,
        of_http=True,
    ),
    CommandOption(
        "max_connections",
        "Connections of a process; 0: half of its file descriptors.",
        "N",
        0,
        minimum=0,
        of_http=True,
    ),
    CommandOption(
        "credentials", "Function that returns the credentials of a caller.", "MODULE:FUNCTION"
    ),
    CommandOption(
        "reload", "Compile and serve again whenever specs or handlers change.", default=False
    ),
    CommandOption("settings", "Settings: TOML or JSON, a table for each service.", "FILE"),
    CommandOption("mode", "Mode of the services, such as a sandbox; default: live.", "NAME"),
    CommandOption(
        "contract", "Contract: refuse to serve tools that break it for those who list them.", "FILE"
    ),
    CommandOption(
        "approve",
        "Who asks for approval: the client's host, this server, or nobody; anonymous HTTP: ask.",
        default="host",
        choices=("host", "ask", "auto"),
    ),
    CommandOption(
        "verifier",
        "Verifies bearer tokens: a function, `jwt`, or `introspection`.",
        "MODULE:OBJECT",
        of_http=True,
    ),
    CommandOption(
        "issuers",
        "Authorization server that issues tokens.",
        "URL",
        repeated=True,
        flag="--issuer",
        of_http=True,
    ),
    CommandOption("resource", "URL of the server for clients.", "URL", of_http=True),
    CommandOption(
        "audience", "Audience of tokens; default: the URL of the server.", "TEXT", of_http=True
    ),
    CommandOption(
        "no_auth",
        "Serve tools with scopes or per-user credentials without authentication.",
        default=False,
        of_http=True,
    ),
    CommandOption(
        "store", "Store that all processes share, such as sqlite:///PATH; default: a file.", "URL"
    ),
    CommandOption(
        "store_keep",
        "How long the store keeps keys and journal; default: a day, and 30 days.",
        "SECONDS",
        0,
        minimum=0,
    ),
    CommandOption(
        "store_may_lose", "Accept a Redis that may lose or evict what it holds.", default=False
    ),
    CommandOption(
        "log_level",
        "Least level of log records.",
        default="warning",
        choices=("debug", "info", "warning", "error"),
    ),
    CommandOption(
        "log_format", "Form of log records on stderr.", default="text", choices=("text", "json")
    ),
    CommandOption("audit", "File to append a record of each call with an effect to.", "FILE"),
    CommandOption(
        "shutdown_timeout",
        "Seconds for unfinished calls when the server is stopped.",
        "SECONDS",
        LAST_SECONDS,
        minimum=0,
        maximum=3600,
    ),
    CommandOption("seed", "Seed of the values that a mock generates.", default=0),
)


def package_in(folder: str) -> str:
    """Return the import name of the generated package in a folder, as it is written."""
    return folder.replace("/", ".").strip(".")


def options_from(
    folder: str, package: str, values: Mapping[str, Any], stated: frozenset[str]
) -> Options:
    """Return the options of a server from values by name; `stated` are the names on the command line.

    Raises ServeError for options that only HTTP has, and for those that exclude each other.
    """
    used = [option for option in COMMAND_OPTIONS if option.name in stated]
    of_http = ", ".join(option.words for option in used if option.of_http)
    if of_http and values["transport"] == "stdio":
        raise ServeError(f"only with --transport http: {of_http}")  # noqa: EM102, TRY003 - one place
    if {"verifier", "no_auth"} <= stated:
        heading = "--verifier and --no-auth exclude each other"
        raise ServeError(heading)
    if "verifier" not in stated and (unused := {"issuers", "audience"} & stated):
        words = ", ".join(option.words for option in used if option.name in unused)
        raise ServeError(f"only with --verifier: {words}")  # noqa: EM102, TRY003 - one place
    if "private_upstream" in stated and "upstream" not in stated:
        heading = "only with --upstream: --private-upstream"
        raise ServeError(heading)
    if "unix_socket" in stated and (unused := {"host", "port"} & stated):
        words = " and ".join(option.words for option in used if option.name in unused)
        raise ServeError(f"not with --unix-socket: {words}")  # noqa: EM102, TRY003 - one place
    for option in used:
        if option.pattern and not re.fullmatch(option.pattern, values[option.name]):
            heading = f"`{option.words} {values[option.name]}` cannot be used"
            raise ServeError(heading, (option.advice,))
    given: dict[str, Any] = {
        option.name: tuple(values[option.name] or ())
        if option.repeated
        else option.default
        if values[option.name] is None
        else values[option.name]
        for option in COMMAND_OPTIONS
    }
    if "approve" not in stated:
        given["approve"] = ""  # the configuration, or the default of the transport
    return Options(folder=folder, package=package, **given)
