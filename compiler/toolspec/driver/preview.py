"""Local server of a compiled site, whose pages load anew when a compile has written them."""

from __future__ import annotations

import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from toolspec.driver.output.paths import LOCK

_START = "/-/start.js"
_WAIT = "/-/wait.js"
_INTERVAL = 0.2
_LONGEST = 20.0
_INSERT = 'const script = document.createElement("script"); script.src = "{wait}?{stamp}"; document.head.append(script);'


class Preview(ThreadingHTTPServer):
    """Serves the site of an output folder on this machine; `address` is its index.

    Pages get a script that waits for the next compile. The policy of a page allows scripts of its own
    server and no other request, so the server answers with a script.
    """

    daemon_threads = True

    def __init__(self, out: Path, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.folder = out / "site"
        self.lock = out / LOCK
        self.address = f"http://127.0.0.1:{self.server_port}/index.html"

    def start(self) -> None:
        """Serve in a thread that ends with the process."""
        Thread(target=self.serve_forever, daemon=True).start()

    def stamp(self) -> str:
        """Return when a compile last wrote something."""
        try:
            return str(self.lock.stat().st_mtime_ns)
        except OSError:
            return "0"


class _Handler(SimpleHTTPRequestHandler):
    server: Preview

    def do_GET(self) -> None:
        """Answer with a file, or a script that waits."""
        path, _, stamp = self.path.partition("?")
        insert = _INSERT.format(wait=_WAIT, stamp=stamp) if stamp.isdecimal() else ""
        if self.headers.get("Host") != f"127.0.0.1:{self.server.server_port}":
            self.send_error(421)
        elif path == _START:
            self._send(f'addEventListener("load", () => {{ {insert} }});', "text/javascript")
        elif path == _WAIT:
            end = time.monotonic() + _LONGEST
            while self.server.stamp() == stamp and time.monotonic() < end:
                time.sleep(_INTERVAL)
            is_same = self.server.stamp() == stamp
            self._send(f"{{ {insert} }}" if is_same else "location.reload();", "text/javascript")
        elif path.endswith((".html", "/")):
            self._send_page(Path(self.translate_path(self.path)))
        else:
            super().do_GET()

    def translate_path(self, path: str) -> str:
        """Return the file of a path in the folder of the site."""
        self.directory = str(self.server.folder)
        return super().translate_path(path)

    def _send_page(self, path: Path) -> None:
        try:
            text = (path / "index.html" if path.is_dir() else path).read_text("utf-8")
        except OSError:
            self.send_error(404)
            return
        script = f'<script src="{_START}?{self.server.stamp()}"></script>'
        self._send(text.replace("</body>", f"{script}</body>"), "text/html")

    def _send(self, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base's name
        """Print nothing."""
