"""The form of a page calls `toolspec serve`: reads, writes that are asked about, streams, errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from browsing import Watched, hosted
from forkserver import toolspec
from served import listening

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Project
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.prove


@contextmanager
def serving(project: Project) -> Iterator[str]:
    """Yield the origin of the site, whose pages may call a server of the project."""
    with hosted(project.site) as origin:
        options = ("--transport", "http", "--port", str(project.port), "--no-auth")
        command = (str(toolspec()), "serve", *options, "--allow-origin", origin)
        with listening(project.folder, command, project.port):
            yield origin


def send(page: Page) -> None:
    page.get_by_role("button", name="Send", exact=True).click()


def called(watched: Watched, project: Project) -> list[str]:
    """Return the requests to the servers."""
    ports = (f":{project.port}/", f":{project.other_port}/")
    return [url for url in watched.requests if any(port in url for port in ports)]


def test_a_tool_is_tried(browser: Browser, project: Project) -> None:
    watched = Watched(browser)
    page = watched.page
    with serving(project) as origin:
        page.goto(f"{origin}/notes/notes_search.html")
        send(page)
        page.locator(".output .failed", has_text="$.query: is missing").first.wait_for()
        page.get_by_label("query (required)").fill("quantum bread")
        send(page)
        page.locator(".output pre", has_text='"total": 0').first.wait_for()

        page.goto(f"{origin}/notes/notes_create.html")
        page.get_by_label("title (required)").fill("Hello")
        before = called(watched, project)
        send(page)
        page.get_by_text("Send this to").wait_for()
        assert called(watched, project) == before
        page.get_by_role("button", name="Send it").click()
        page.get_by_text("Allow Write a note").wait_for()
        page.get_by_role("button", name="Yes").click()
        page.locator(".output pre", has_text='"created_at"').first.wait_for()
        before = called(watched, project)
        send(page)
        page.get_by_role("button", name="No").click()
        page.get_by_text("Nothing was sent.").wait_for()
        assert called(watched, project) == before

        page.goto(f"{origin}/notes/notes_export.html")
        send(page)
        page.locator(".output .piece").first.wait_for()
        page.locator(".output pre:not(.piece)", has_text='"id": "n17"').wait_for()

        page.goto(f"{origin}/billing/billing_get_customer.html")
        page.get_by_label("customer (required)").fill("cus_0")
        send(page)
        page.locator(".output .failed", has_text="not_found").first.wait_for()
    assert watched.console == []


def test_a_read_needs_no_mouse(browser: Browser, project: Project) -> None:
    page = Watched(browser).page
    with serving(project) as origin:
        page.goto(f"{origin}/notes/notes_search.html")
        page.locator(".side a", has_text="search").focus()
        for _ in range(100):
            page.keyboard.press("Tab")
            label = page.evaluate("document.activeElement.labels?.[0]?.textContent")
            if label == "query (required)":
                page.keyboard.type("quantum bread")
            if page.evaluate("document.activeElement.textContent") == "Send":
                break
        page.keyboard.press("Enter")
        page.locator(".output pre", has_text='"total": 0').first.wait_for()


def test_a_server_that_does_not_answer_is_reported(browser: Browser, project: Project) -> None:
    page = Watched(browser).page
    with hosted(project.site) as origin:
        page.goto(f"{origin}/notes/notes_statistics.html")
        send(page)
        page.locator(".output .failed", has_text=f"--allow-origin {origin}").wait_for()
    page.goto((project.site / "notes" / "notes_search.html").as_uri())
    page.get_by_text("opened from a file").wait_for()
    assert page.get_by_role("button", name="Send", exact=True).count() == 0


def test_the_token_is_kept_nowhere_and_dropped_with_its_server(
    browser: Browser, project: Project
) -> None:
    watched = Watched(browser)
    page = watched.page
    sent: list[str | None] = []
    page.on(
        "request",
        lambda request: (
            request.method == "POST" and sent.append(request.header_value("authorization"))
        ),
    )
    with serving(project) as origin:
        page.goto(f"{origin}/notes/notes_statistics.html")
        token = page.get_by_label("Bearer token")
        token.fill("a-secret-token")
        send(page)
        page.locator(".output pre").first.wait_for()
        assert sent == ["Bearer a-secret-token"]
        page.get_by_label("Server").select_option(index=1)
        assert token.input_value() == ""
        page.get_by_label("Server").select_option(index=0)
        assert token.input_value() == ""
        send(page)
        page.locator(".output pre").first.wait_for()
        assert sent == ["Bearer a-secret-token", None]

        token.fill("a-secret-token")
        stored = page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
        )
        assert "secret" not in stored
        page.reload()
        assert page.get_by_label("Bearer token").input_value() == ""


@pytest.mark.parametrize(
    "link",
    [
        "?query=linked&server=https://example.com/mcp&token=linked&limit=7#try",
        "#query=linked&token=linked",
        "#arg-query?query=linked",
    ],
)
def test_a_link_fills_in_nothing_and_runs_nothing(
    browser: Browser, project: Project, link: str
) -> None:
    watched = Watched(browser)
    page = watched.page
    with serving(project) as origin:
        page.goto(f"{origin}/notes/notes_search.html{link}")
        page.get_by_role("button", name="Send", exact=True).wait_for()
        values = page.evaluate(
            "[...document.querySelectorAll('.try :is(input, textarea, select)')].map((one) => one.value)"
        )
        assert values[0] == f"http://127.0.0.1:{project.port}/mcp"
        assert set(values[1:]) == {""}
        assert called(watched, project) == []
        assert page.locator(".output").inner_text() == ""


def test_words_of_a_server_hide_nothing(browser: Browser, project: Project) -> None:
    """A server that lies: its result has markup, and characters that nobody sees."""
    watched = Watched(browser)
    page = watched.page
    text = "<img src=x onerror=alert(1)> safe\u202eelif eteled\u200b"
    result = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": text}]}}
    with hosted(project.site) as origin:
        page.route("**/mcp", lambda route: route.fulfill(json=result))
        page.goto(f"{origin}/notes/notes_statistics.html")
        send(page)
        shown = page.locator(".output pre").inner_text()
        assert shown == "<img src=x onerror=alert(1)> safeU+202Eelif eteledU+200B"
        assert page.locator(".output img").count() == 0
    assert watched.console == []
