"""Debian's Chromium, and pages in it that are watched."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Dialog, Frame, Page, sync_playwright
from site_pages import is_seen_whole

CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
AXE = (files("axe_core_python") / "axe.min.js").read_text("utf-8")
"""axe-core, to be added before the scripts of a page."""
_TEXTS = """() => [document.title, document.body.textContent,
  ...[...document.querySelectorAll("*")].flatMap((node) => [...node.attributes].map((one) => one.value))]"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser. No event loop of asyncio can run in the thread meanwhile."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Yield the origin of a server of static files."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Watched:
    """A page, what it wrote to the console, what it asked the network for, and what was missing."""

    def __init__(
        self, browser: Browser, width: int = 1280, scheme: Literal["light", "dark"] = "light"
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        self.page: Page = self.context.new_page()
        self.console: list[str] = []
        self.requests: list[str] = []
        self.missing: list[str] = []
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "response",
            lambda response: self.missing.append(response.url) if response.status >= 400 else None,
        )

    def _dismiss(self, dialog: Dialog) -> None:
        self.console.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def faults(self, origin: str) -> list[str]:
        """Return what a page did besides showing files of its origin."""
        left = [url for url in self.requests if not url.startswith((origin, "data:,"))]
        return [*self.console, *left, *self.missing]


def hidden_characters(frame: Page | Frame) -> list[str]:
    """Return the texts and attributes of a page that have a character that nobody sees."""
    texts: list[str] = frame.evaluate(_TEXTS)
    return [text for text in texts if not is_seen_whole(text)]


def violations(page: Page) -> list[str]:
    """Return what axe-core objects to on a page to which it was added."""
    found = page.evaluate("axe.run({preload: false})")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a site."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
