"""Options of a server, which reach its worker processes as text."""

from __future__ import annotations

import json
from pathlib import Path

from toolspec.serving.build import build_digest
from toolspec.serving.shutdown import LAST_SECONDS
from toolspec.shared.records import as_dict, dataclass, field, replace

VARIABLE = "TOOLSPEC_SERVE"
"""The environment variable with the options of `app`, as JSON."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a server.

    `folder` contains the generated package, imported as `package`. `hosts` are further names of an
    HTTP server besides its address, `origins` those of pages that may call it. `resource` is its
    URL for clients, `audience` what tokens are issued for, and `issuers` issue them. It listens on
    `unix_socket` instead of `host` and `port` if that is not empty. A client has `head_timeout` and
    `body_timeout` seconds for the parts of a request. `sessions` says whether clients of 2025 keep a
    session with this process, which elicitation and tasks require. The ids of these sessions begin with
    the name of the `replica`. `key` (hex) seals the state of 2026 rounds and is shared by all
    processes of a server. `build` is the digest of the only build to serve; empty for any.
    `store` is a URL, which may hold a password.
    """

    folder: str
    package: str
    handlers: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    transport: str = "stdio"
    workers: int = 1
    reload: bool = False
    settings: str = ""
    seed: int = 0
    mode: str = ""
    contract: str = ""
    approve: str = ""
    """`host`, `ask` or `auto`; if empty, `approve_tiers` decides."""
    approve_tiers: tuple[str, str] = ("", "")
    """The modes of the risk tiers 2 and 3; empty for the default of the transport."""
    verifier: str = ""
    no_auth: bool = False
    credentials: str = ""
    upstream: bool = False
    private_upstream: bool = False
    host: str = "127.0.0.1"
    port: int = 8000
    unix_socket: str = ""
    path: str = "/mcp"
    replica: str = ""
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose proxy headers count."""
    origins: tuple[str, ...] = ()
    resource: str = ""
    audience: str = ""
    issuers: tuple[str, ...] = ()
    store: str = field(default="", repr=False)
    store_keep: int = 0
    store_may_lose: bool = False
    max_connections: int = 0
    head_timeout: int = 10
    body_timeout: int = 60
    log_level: str = "warning"
    log_format: str = "text"
    audit: str = ""
    shutdown_timeout: int = LAST_SECONDS
    sessions: bool = False
    key: str = ""
    build: str = ""

    @property
    def url(self) -> str:
        """Return the address of the server for clients; of a Unix socket, that behind the socket."""
        if self.unix_socket:
            return f"http://localhost{self.path}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.path}"

    @property
    def address(self) -> str:
        """Return the address of the server for operators."""
        return f"{self.url} on {self.unix_socket}" if self.unix_socket else self.url

    def of_this_build(self) -> Options:
        """Return the options for the build that the folder has now."""
        return replace(self, build=build_digest(Path(self.folder)))

    def to_text(self) -> str:
        """Return the options as text, for a worker process."""
        return json.dumps(as_dict(self))

    @staticmethod
    def from_text(text: str) -> Options:
        """Return the options that `to_text` returned as a text."""
        options = json.loads(text)
        lists = [name for name, value in options.items() if isinstance(value, list)]
        return Options(**{**options, **{name: tuple(options[name]) for name in lists}})
