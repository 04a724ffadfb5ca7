"""The search of a site in Chromium: it finds whatever has a name, and answers at once."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import pytest
from browsing import Watched
from forkserver import toolspec

if TYPE_CHECKING:
    from conftest import Project
    from playwright.sync_api import Browser

pytestmark = pytest.mark.prove

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def names(folder: Path) -> dict[str, set[str]]:
    """Return the names of services and tools, the arguments, and the errors of a project's catalog."""
    found: dict[str, set[str]] = {"tool": set(), "argument": set(), "error": set()}
    catalog = json.loads((folder / "generated" / "catalog.json").read_text())
    for tool in catalog["tools"]:
        found["tool"] |= {tool["service"], tool["name"]}
        found["error"] |= {error["code"] for error in tool.get("errors", ())}
    for manifest in (folder / "generated").rglob("mcp*.json"):
        for tool in json.loads(manifest.read_text())["tools"]:
            found["argument"] |= tool["inputSchema"].get("properties", {}).keys()
    return found


def test_every_name_argument_and_error_is_found(browser: Browser, project: Project) -> None:
    watched = Watched(browser)
    page = watched.page
    page.goto((project.site / "index.html").as_uri())
    page.keyboard.press("/")
    wanted = names(project.folder)
    assert len(wanted["tool"]) > 40
    assert len(wanted["argument"]) > 40
    assert len(wanted["error"]) > 8
    for kind, words in wanted.items():
        for word in sorted(words):
            page.locator(".finder input").fill(word)
            assert word in page.locator("#found").inner_text(), (kind, word)
    assert watched.faults(project.site.as_uri()) == []


def test_results_are_chosen_by_keyboard(browser: Browser, project: Project) -> None:
    page = Watched(browser).page
    page.goto((project.site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("already_refunded")
    page.locator("#found li").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/billing/billing_refund_order.html#error-already_refunded")
    page.keyboard.press("Control+k")
    page.keyboard.type("notes_")
    page.locator("#found li").nth(1).wait_for()
    second = page.locator("#found li strong").nth(1).inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#found [aria-selected=true] strong").inner_text() == second
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{second}.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("money currency")
    page.locator("#found li", has_text="member currency").first.click()
    page.wait_for_url("**/billing/types.html#*")
    assert "ISO 4217 code." in page.locator(":target").inner_text()
    page.keyboard.press("Control+k")
    page.keyboard.type("no such name at all")
    page.get_by_text("Nothing has this name.").wait_for()
    page.keyboard.press("Escape")
    assert not page.locator(".finder").is_visible()


@pytest.mark.parametrize("count", [1000])
def test_the_time_from_a_key_to_its_result_is_printed(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import corpus
    from site_rows import WORDS
    from site_search import key_to_paint

    for document in corpus.services(count):
        corpus.write(
            tmp_path / "specs", [(f"{document['service']['name']}.json", json.dumps(document))]
        )
    command = (toolspec(), "compile", "--target", "site")
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    watched = Watched(browser)
    times = key_to_paint(watched.page, tmp_path / "generated" / "site" / "index.html", WORDS)
    assert len(times) == sum(map(len, WORDS))
    assert watched.console == []
    print(
        f"key to painted result: p50 {median(times):.0f} ms, p95 {quantiles(times, n=20)[-1]:.0f} ms"
    )
