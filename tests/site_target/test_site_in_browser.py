"""The site in Debian's Chromium: accessible, quick, still, and able to call a server."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import pytest
from forkserver import toolspec
from made_programs import hostile_program
from playwright.sync_api import Browser, Page, Playwright, sync_playwright
from served import free_port, listening
from site_pages import site
from test_site import PAYLOADS

pytestmark = pytest.mark.prove

CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
AXE = (files("axe_core_python") / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """The example services, compiled with all targets of this repository, and a form to call them."""
    folder = tmp_path_factory.mktemp("project")
    port = free_port()
    (folder / "port").write_text(str(port))
    shutil.copytree(repository / "specs", folder / "specs")
    (folder / "toolspec.toml").write_text(
        'targets = ["python", "catalog", "mcp-2026-07-28", "mcp-2025-11-25", "site", "gemini"]\n'
        f'[target.site]\ntry = ["http://127.0.0.1:{port}/mcp"]\n'
    )
    subprocess.run((toolspec(), "compile"), cwd=folder, check=True, capture_output=True)
    return folder


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
    """A page, what it wrote to the console, and what it asked the network for."""

    def __init__(self, browser: Browser, width: int = 1280, scheme: str = "light") -> None:
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        self.page: Page = context.new_page()
        self.console: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.console.append(f"dialog {dialog.message}"))


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (320, "light")], ids=str
)
def test_every_page_is_accessible_and_fits(
    browser: Browser, project: Path, width: int, scheme: str
) -> None:
    root = project / "generated" / "site"
    watched = Watched(browser, width, scheme)
    watched.page.add_init_script(AXE)
    found = {}
    for path in sorted(root.rglob("*.html")):
        watched.page.goto(path.as_uri())
        result = watched.page.evaluate("axe.run({preload: false})")
        faults = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in result["violations"]]
        if watched.page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append("wider than the window")
        if faults:
            found[path.name] = faults
    assert found == {}
    assert watched.console == []
    assert all(url.startswith(root.as_uri()) for url in watched.requests)


def test_search_finds_by_keyboard_whatever_has_a_name(browser: Browser, project: Path) -> None:
    root = project / "generated" / "site"
    watched = Watched(browser)
    page = watched.page
    page.goto((root / "index.html").as_uri())
    text = (root / "search.js").read_text()
    rows = json.loads(text.removeprefix("toolspecIndex(").removesuffix(")\n"))
    page.keyboard.press("/")
    words = {row[1] for row in rows}
    for row in rows:
        words.update(word for names in row[6:] for word in names)
    for word in sorted(words):
        page.locator(".finder input").fill(word)
        shown = page.locator("#found").inner_text()
        assert word in shown, word
    page.locator(".finder input").fill("notes_delete")
    page.keyboard.press("Enter")
    page.wait_for_url("**/notes/notes_delete.html")
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    assert not page.locator(".finder").is_visible()
    assert watched.console == []


def test_the_keyboard_alone_is_enough(browser: Browser, project: Path) -> None:
    page = Watched(browser).page
    page.goto((project / "generated" / "site" / "notes" / "notes_update.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.get_by_role("tab", name="Python").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="MCP").get_attribute("aria-selected") == "true"
    assert page.get_by_role("tabpanel", name="MCP").is_visible()
    reached = set()
    for _ in range(200):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML"))
    assert {True} == {any(word in one for one in reached) for word in ("copy", "theme", "anchor")}


def test_painting_a_result_takes_50_ms_at_most(browser: Browser, tmp_path: Path) -> None:
    tools = [
        {
            "name": f"doThing{number}",
            "description": f"Do the thing number {number} of the list.",
            "inputSchema": {"type": "object", "properties": {f"a{n}": {} for n in range(8)}},
            "outputSchema": {"type": "string"},
            "mutation": False,
        }
        for number in range(1000)
    ]
    (tmp_path / "specs").mkdir()
    document = {"toolspec": 1, "service": {"name": "big", "description": "Big."}, "tools": tools}
    (tmp_path / "specs" / "big.json").write_text(json.dumps(document))
    command = (toolspec(), "compile", "--target", "site")
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    page = Watched(browser).page
    page.goto((tmp_path / "generated" / "site" / "index.html").as_uri())
    page.keyboard.press("/")
    page.locator(".finder input").fill("warm")
    page.wait_for_function("document.querySelector('#found').children.length > 0")
    times = page.evaluate(
        """async () => {
          const input = document.querySelector(".finder input"), times = [];
          for (let round = 0; round < 40; round++) {
            const start = performance.now();
            input.value = ["d", "do", "doThing9", "a7", "number 42"][round % 5];
            input.dispatchEvent(new Event("input"));
            times.push(performance.now() - start);
          }
          return times;
        }"""
    )
    print(f"key to result: p95 {statistics.quantiles(times, n=20)[-1]:.1f} ms")


@pytest.mark.parametrize("name", sorted(PAYLOADS))
def test_hostile_texts_are_inert(browser: Browser, name: str, tmp_path: Path) -> None:
    watched = Watched(browser)
    for path, text in site(hostile_program(PAYLOADS[name])).items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    for path in sorted(tmp_path.rglob("*.html")):
        watched.page.goto(path.as_uri())
    assert watched.console == []
    assert all(url.startswith(tmp_path.as_uri()) for url in watched.requests)


def test_what_is_copied_is_what_is_shown(browser: Browser, project: Path) -> None:
    with hosted(project / "generated" / "site") as origin:
        watched = Watched(browser)
        watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
        watched.page.goto(f"{origin}/billing/billing_create_order.html")
        for block in watched.page.locator(".block").all():
            if not block.is_visible():
                continue
            block.locator("button").click()
            copied = watched.page.evaluate("navigator.clipboard.readText()")
            assert copied == block.locator("pre").text_content()


def test_a_tool_is_tried(browser: Browser, project: Path) -> None:
    port = (project / "port").read_text()
    watched = Watched(browser)
    page = watched.page
    with hosted(project / "generated" / "site") as origin:
        options = ("--transport", "http", "--port", port, "--no-auth", "--allow-origin", origin)
        with listening(project, (str(toolspec()), "serve", *options), int(port)):
            page.goto(f"{origin}/notes/notes_search.html?query=linked#try")
            assert page.get_by_label("query (required)").input_value() == ""
            page.get_by_role("button", name="Send", exact=True).click()
            page.get_by_text("$.query: is missing").first.wait_for()
            page.get_by_label("query (required)").fill("quantum bread")
            page.get_by_role("button", name="Send", exact=True).click()
            page.locator(".output pre", has_text='"total": 0').first.wait_for()

            page.goto(f"{origin}/notes/notes_create.html")
            page.get_by_label("title (required)").fill("Hello")
            page.get_by_role("button", name="Send", exact=True).click()
            sent = [url for url in watched.requests if port in url]
            page.get_by_text("Send this to").wait_for()
            assert [url for url in watched.requests if port in url] == sent
            page.get_by_role("button", name="Send it").click()
            page.get_by_text("Allow Write a note").wait_for()
            page.get_by_role("button", name="Yes").click()
            page.locator(".output pre", has_text='"created_at"').first.wait_for()
            page.get_by_role("button", name="Send", exact=True).click()
            page.get_by_role("button", name="No").click()
            page.get_by_text("Nothing was sent.").wait_for()

            page.goto(f"{origin}/notes/notes_export.html")
            page.get_by_role("button", name="Send", exact=True).click()
            page.locator(".output .piece").first.wait_for()

        page.get_by_role("button", name="Send", exact=True).click()
        page.get_by_text("--allow-origin").wait_for()
        own = (origin, f"http://127.0.0.1:{port}/mcp")
        assert all(url.startswith(own) for url in watched.requests)
    page.goto((project / "generated" / "site" / "notes" / "notes_search.html").as_uri())
    page.get_by_text("opened from a file").wait_for()
