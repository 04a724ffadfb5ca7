"""Guides, a logo and two versions in Debian's Chromium, from a folder and below a path."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest
from browsing import AXE, Watched, hosted, violations
from forkserver import toolspec
from playwright.sync_api import Browser, expect
from test_docs_verb import SPEC
from test_guides import MARKUP

pytestmark = pytest.mark.prove

CONFIGURATION = """\
targets = ["site"]
[target.site]
title = "Acme tools"
accent = "#0b6e4f"
logo = "docs/logo.png"
guides = "docs"
version = "{version}"
versions = {versions}
"""
ANOTHER = (
    "  - {name: more, description: Answer more., outputSchema: {type: string}, mutation: false}\n"
)


def png(width: int, height: int) -> bytes:
    """Return an image of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x0b\x6e\x4f" * width) * height)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of two versions, each compiled for itself, the newer one with a tool more."""
    folder = tmp_path_factory.mktemp("versions")
    (folder / "specs").mkdir()
    (folder / "docs").mkdir()
    (folder / "docs" / "logo.png").write_bytes(png(120, 40))
    (folder / "docs" / "all.md").write_text("\n\n".join(MARKUP))
    table = "| " + " | ".join(f"a column {at}" for at in range(12)) + " |"
    lines = (table, "|" + "--|" * 12, table)
    text = ["# Start", "![The logo](logo.png)", "\n".join(lines), "## Install", "```sh\npip\n```"]
    (folder / "docs" / "start.md").write_text("\n\n".join(text))
    public = folder / "public" / "below" / "a path"
    for version, spec in (("v1", SPEC), ("v2", SPEC + ANOTHER)):
        (folder / "specs" / "demo.yaml").write_text(spec)
        versions = '["v1"]' if version == "v1" else '["v2", "v1"]'
        configuration = CONFIGURATION.format(version=version, versions=versions)
        (folder / "toolspec.toml").write_text(configuration)
        command = (toolspec(), "compile", "--out", version)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        shutil.copytree(folder / version / "site", public, dirs_exist_ok=True)
    return public


@pytest.mark.parametrize("way", ["file", "http"])
def test_a_reader_changes_the_version_and_stays_on_the_page(
    published: Path, browser: Browser, way: str
) -> None:
    watched = Watched(browser)
    page = watched.page
    with hosted(published.parents[1]) as origin:
        root = published.as_uri() if way == "file" else f"{origin}/below/a%20path"
        page.goto(f"{root}/index.html")
        page.wait_for_url(f"{root}/v2/index.html")
        page.goto(f"{root}/v2/demo/demo_ask.html")
        assert page.locator(".old").count() == 0
        page.locator(".versions summary").focus()
        page.keyboard.press("Enter")
        older = page.locator(".versions a", has_text="v1")
        expect(older).to_have_attribute("href", "../../v1/demo/demo_ask.html")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{root}/v1/demo/demo_ask.html")
        assert page.locator(".old").inner_text() == (
            "This is v1, which is not the newest version. Read v2."
        )
        page.locator(".old a").click()
        page.wait_for_url(f"{root}/v2/demo/demo_ask.html")

        page.goto(f"{root}/v2/demo/demo_more.html")
        page.locator(".versions summary").click()
        page.locator(".versions a", has_text="v1").click()
        page.wait_for_url(f"{root}/v1/index.html")
        page.locator(".versions summary").click()
        page.keyboard.press("Escape")
        assert not page.locator(".versions ul").is_visible()
        assert watched.console == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_pages_of_guides_and_versions_are_accessible_and_fit(
    published: Path, browser: Browser, width: int, scheme: Any
) -> None:
    watched = Watched(browser, width, scheme)
    page = watched.page
    page.add_init_script(AXE)
    pages = [*published.rglob("guides/*.html"), published / "v1" / "demo" / "demo_ask.html"]
    for path in pages:
        page.goto(path.as_uri())
        if page.locator(".versions").count():
            page.locator(".versions summary").click()
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert watched.console == []


def test_guides_are_found_by_search_and_images_are_shown(published: Path, browser: Browser) -> None:
    watched = Watched(browser)
    page = watched.page
    page.goto((published / "v2" / "index.html").as_uri())
    page.keyboard.press("/")
    page.locator(".finder input").fill("install")
    page.locator("#found li", has_text="Install").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/v2/guides/start.html#install")
    for image in page.locator("img").all():
        assert image.evaluate("image => image.naturalWidth") == 120
    assert watched.console == []
