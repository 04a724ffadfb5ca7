"""Hostile documents as a site in Chromium: no script runs, no request leaves, no text is hidden."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import Watched, hidden_characters, hosted, write_files
from compiling import compiled
from forked_runs import run_all
from made_programs import hostile_program
from payloads import payloads
from site_pages import site
from slotted_service import COMPANIONS, SLOTS
from test_hostile_corpus import HOSTILE, index
from toolspec.targets.site import TARGET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.prove

PAYLOADS = payloads()
PARTS = 6  # of the grid, so that several workers share it
FRAMES = 150  # pages that are opened at once


def opened_together(browser: Browser, folder: Path, pages: list[Path]) -> list[str]:
    """Return what pages in a folder did besides showing themselves, each opened in a frame."""
    found: list[str] = []
    for start in range(0, len(pages), FRAMES):
        chunk = pages[start : start + FRAMES]
        frames = "".join(f'<iframe src="{path.as_uri()}"></iframe>' for path in chunk)
        outer = folder / "frames.html"
        outer.write_text(f"<!doctype html><title>frames</title>{frames}", "utf-8")
        watched = Watched(browser)
        watched.page.goto(outer.as_uri())
        assert len(watched.page.frames) == 1 + len(chunk)
        for frame in watched.page.frames[1:]:
            found += [f"hidden: {text!a}" for text in hidden_characters(frame)]
        found += watched.faults(folder.as_uri())
        watched.context.close()
    return found


def grid_pages(folder: Path, part: int) -> Iterator[tuple[str, str]]:
    """Yield the site's files, each page only once, of every payload in the places of a part."""
    seen: set[str] = set()
    for slot in SLOTS[part::PARTS]:
        for payload in PAYLOADS.values():
            document = json.dumps(slot.fill(payload), indent=1)
            files = {f"{slot.document}.json": document} | COMPANIONS[slot.document]
            for path, text in compiled(folder, files, (TARGET,)).artifacts.items():
                if text not in seen and not path.endswith(".txt"):
                    seen.add(text)
                    yield path.removeprefix("site/"), text


@pytest.mark.parametrize("part", range(PARTS))
def test_the_grid_is_inert_in_a_browser(browser: Browser, part: int, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    root, pages = tmp_path / "site", []
    for number, (path, text) in enumerate(grid_pages(tmp_path / "project", part)):
        if path.endswith(".html"):
            # The folder of a service may be named by a payload; what counts is where its style is.
            path = f"{'service/' if '/' in path else ''}{number}.html"  # noqa: PLW2901
            pages.append(root / path)
        write_files(root, {path: text})
    assert len(pages) > 100
    assert opened_together(browser, root, pages) == []


def test_the_corpus_is_inert_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    jobs: list[tuple[Path, list[str]]] = []
    for case in index():
        project = tmp_path / case["id"]
        (project / "specs").mkdir(parents=True)
        shutil.copy(HOSTILE / case["file"], project / "specs")
        jobs.append((project, ["compile", "--target", "site"]))
    run_all(jobs)
    pages = sorted(tmp_path.glob("*/*/generated/site/**/*.html"))
    assert len(pages) > 200
    assert opened_together(browser, tmp_path, pages) == []


@pytest.mark.parametrize("name", sorted(PAYLOADS))
def test_a_text_in_all_places_at_once_is_inert(browser: Browser, name: str, tmp_path: Path) -> None:
    """Pages, forms and results of the search."""
    text = PAYLOADS[name]
    write_files(tmp_path, site(hostile_program(text), **{"try": ["http://127.0.0.1:1/mcp"]}))
    watched = Watched(browser)
    page = watched.page
    with hosted(tmp_path) as origin:
        for path in sorted(tmp_path.rglob("*.html")):
            page.goto(f"{origin}/{path.relative_to(tmp_path).as_posix()}")
            assert hidden_characters(page) == [], path
        page.keyboard.press("/")
        page.locator(".finder input").fill("a")
        page.locator("#found li").first.wait_for()
        assert hidden_characters(page) == []
        assert watched.faults(origin) == []


def test_what_is_not_inert_is_found(browser: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    for body in (
        "<script>CANARY()</script>",
        "<img src=http://127.0.0.1:1/x.png>",
        "a\u202eb",
        "<p title='\u200b'>x</p>",
        "<script>alert(1)</script>",
    ):
        bad.write_text(f"<!doctype html><meta charset=utf-8>{body}", "utf-8")
        assert opened_together(browser, tmp_path, [bad]), body
