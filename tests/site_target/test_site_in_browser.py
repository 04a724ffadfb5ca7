"""The site in Debian's Chromium: accessible, still, and within reach of a keyboard and of three clicks.

The walk of a new reader, who begins at the index and knows the name of the service:

- How is a tool called? The card of the service, the tool: beside its arguments are programs and examples.
- What may it destroy? The card "Destructive", the tool: its section "Safety" says what, and who is asked before.
- What changed since the last version? "Changelog" in the header, then the tool.

Each of these is also a search away: `/`, part of the name, Enter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from browsing import AXE, Watched, hosted, violations

if TYPE_CHECKING:
    from conftest import Project
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.prove

FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]"
# What a reader can reach: an element that is shown, and in the order of Tab.
REACHABLE = f"""() => [...document.querySelectorAll("{FOCUSABLE}")]
  .filter((node) => node.tabIndex >= 0 && node.checkVisibility({{visibilityProperty: true}}) && !node.closest("dialog"))
  .map((node, at) => (node.dataset.stop = `${{at}} ${{node.outerHTML.slice(0, 120)}}`))"""
# The stop, whether its focus has an outline, and whether it is in front of everything at its middle.
FOCUSED = """() => {
  const node = document.activeElement, box = node.getBoundingClientRect(), style = getComputedStyle(node);
  const x = box.left + Math.min(box.width, innerWidth) / 2, y = Math.max(box.top, 0) + Math.min(box.height, 30) / 2;
  const front = document.elementFromPoint(x, y);
  return [node.dataset.stop, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    !!front && (node.contains(front) || front.contains(node))];
}"""


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (320, "light")], ids=str
)
def test_every_page_is_accessible_and_fits(
    browser: Browser, project: Project, width: int, scheme: Any
) -> None:
    watched = Watched(browser, width, scheme)
    page, found = watched.page, {}
    page.add_init_script(AXE)  # before the scripts of a page
    with hosted(project.site) as origin:
        for path in sorted(project.site.rglob("*.html")):
            page.goto(f"{origin}/{path.relative_to(project.site).as_posix()}")
            faults = violations(page)
            if page.evaluate("document.documentElement.scrollWidth") > width:
                faults.append("wider than the window")
            if faults:
                found[path.name] = faults
        page.keyboard.press("/")
        page.locator(".finder input").fill("notes")
        page.locator("#found li").first.wait_for()
        assert violations(page) == []
        assert found == {}
        assert watched.faults(origin) == []


@pytest.mark.parametrize(
    "path",
    ["index.html", "notes/index.html", "billing/types.html", "billing/billing_refund_order.html"],
)
@pytest.mark.parametrize("width", [1280, 320])
def test_tab_reaches_everything_and_the_focus_is_seen(
    browser: Browser, project: Project, path: str, width: int
) -> None:
    page = Watched(browser, width).page
    with hosted(project.site) as origin:
        page.goto(f"{origin}/{path}")
        expected = page.evaluate(REACHABLE)
        reached = []
        for _ in expected:
            page.keyboard.press("Tab")
            stop, is_outlined, is_in_front = page.evaluate(FOCUSED)
            assert is_outlined, stop
            assert is_in_front, stop
            reached.append(stop)
        assert reached == expected


def test_the_keyboard_alone_is_enough(browser: Browser, project: Project) -> None:
    watched = Watched(browser)
    page = watched.page
    with hosted(project.site) as origin:
        watched.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
        page.goto(f"{origin}/billing/billing_refund_order.html")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.querySelector('main').contains(document.activeElement)")

        walk_to(page, page.get_by_role("tab", name="Python"))
        page.keyboard.press("ArrowRight")
        assert page.get_by_role("tab", name="MCP").get_attribute("aria-selected") == "true"
        panel = page.get_by_role("tabpanel", name="MCP")
        assert panel.is_visible()
        walk_to(page, panel.get_by_role("button", name="Copy"))
        page.keyboard.press("Enter")
        panel.get_by_role("button", name="Copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == panel.locator("pre").text_content()

        walk_to(page, page.locator(".members a", has_text="Money").first, "Shift+Tab")
        page.keyboard.press("Enter")
        page.wait_for_url("**/billing/types.html#*")
        assert "Money" in page.locator(":target").inner_text()

        walk_to(page, page.locator(".side a", has_text="rotate_key"), "Shift+Tab")
        page.keyboard.press("Enter")
        page.wait_for_url("**/billing/billing_rotate_key.html")
        walk_to(page, page.locator(".side summary"))
        page.keyboard.press("Space")
        assert not page.locator(".side a").first.is_visible()

        walk_to(page, page.locator(".theme"), "Shift+Tab")
        page.keyboard.press("Enter")
        assert page.locator("html").get_attribute("data-theme") == "dark"


def walk_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press a key until an element has the focus."""
    for _ in range(200):
        if wanted.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press(key)
    message = f"{wanted} was not reached"
    raise AssertionError(message)


class Clicks:
    """A reader who begins at the index, and has three clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.left = 3

    def on(self, name: str, inside: str = "main") -> None:
        assert self.left
        self.left -= 1
        self.page.locator(inside).get_by_role("link", name=name, exact=True).first.click()


@pytest.mark.parametrize(
    ("service", "tool"),
    [
        ("Notes 0.3.0", "notes_search"),
        ("Slack 2.1.0", "slack_send_message"),
        ("Billing 3.2.0", "billing_refund_order"),
    ],
)
def test_how_to_call_a_tool_is_three_clicks_away(
    browser: Browser, project: Project, service: str, tool: str
) -> None:
    page = Watched(browser).page
    page.goto((project.site / "index.html").as_uri())
    reader = Clicks(page)
    reader.on(service)
    reader.on(tool)
    assert page.locator(".name").inner_text().startswith(tool)
    program = page.get_by_role("tabpanel", name="Python").locator("pre")
    program.wait_for()
    assert f"client.{tool.partition('_')[2]}(" in program.inner_text()


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("notes_delete", "Deletes, overwrites"),
        ("billing_refund_order", "Effects: money."),
        ("workspace_write_file", "A person sees the arguments and is asked before each call."),
    ],
)
def test_what_a_tool_may_destroy_is_three_clicks_away(
    browser: Browser, project: Project, tool: str, words: str
) -> None:
    page = Watched(browser).page
    page.goto((project.site / "index.html").as_uri())
    reader = Clicks(page)
    reader.on("Destructive")
    reader.on(tool)
    assert words in page.get_by_role("region", name="Safety").inner_text()


def test_what_changed_is_three_clicks_away(browser: Browser, project: Project) -> None:
    page = Watched(browser).page
    page.goto((project.site / "index.html").as_uri())
    reader = Clicks(page)
    reader.on("Changelog", ".top")
    entry = page.locator(".entry", has_text="2026-03-01 · slack 2.1.0")
    assert "is 90 now, and was 100" in entry.inner_text()
    assert "Smaller pages are quicker" in entry.inner_text()
    reader.on("slack_search_messages", ".entry")
    page.wait_for_url("**/slack/slack_search_messages.html")


def test_what_is_copied_is_what_is_shown(browser: Browser, project: Project) -> None:
    watched = Watched(browser)
    page = watched.page
    with hosted(project.site) as origin:
        watched.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
        page.goto(f"{origin}/billing/billing_create_order.html")
        shown = [block for block in page.locator(".block").all() if block.is_visible()]
        assert shown
        for block in shown:
            block.locator("button").click()
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied == block.locator("pre").text_content()


def test_a_print_has_neither_navigation_nor_forms_and_all_programs(
    browser: Browser, project: Project
) -> None:
    page = Watched(browser, scheme="dark").page
    page.goto((project.site / "billing" / "billing_refund_order.html").as_uri())
    page.emulate_media(media="print")
    for left_out in (".top", ".side", ".trial", ".copy", '[role="tablist"]'):
        assert not page.locator(left_out).first.is_visible(), left_out
    for shown in ("Python", "MCP", "Shell", "JSON-RPC"):
        heading = page.get_by_role("heading", name=shown, exact=True, include_hidden=True)
        assert heading.is_visible(), shown
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
