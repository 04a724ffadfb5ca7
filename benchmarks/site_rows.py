"""site: what a site costs a first compile, how large it is, and how fast its search answers."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING

from process import Command, alternate, typical
from row import SECOND, Row
from site_search import key_to_paint
from workshop import TOOLSPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from workshop import Workshop

_TARGETS = '"python", "catalog", "mcp-2026-07-28", "mcp-2025-11-25"'
WORDS = ("invoice", "find_order", "billing address", "deadline", "not_found", "status")
"""Names, arguments and errors of the corpus, and words that nearly all of its tools have."""


def site(bench: Workshop) -> Iterator[Row]:
    """A site of the corpus."""
    project = bench.fresh()

    def with_targets(targets: str) -> Callable[[], Command]:
        def make() -> Command:
            nonlocal project
            folder = bench.project(bench.tools)
            (folder / "toolspec.toml").write_text(f"targets = [{targets}]\n", encoding="utf-8")
            project = folder if "site" in targets else project
            return Command((TOOLSPEC, "compile"), folder, accepted=(0, 1))

        return make

    makers = [with_targets(_TARGETS), with_targets(f'{_TARGETS}, "site"')]
    without, with_site = alternate(makers, bench.rounds)
    more = median(b.cpu - a.cpu for a, b in zip(without, with_site, strict=True))
    shown = [f"{typical(each).cpu:.2f} {SECOND}" for each in (with_site, without)]
    what = f"`site` of {bench.tools:,} tools"
    against = "the other targets"
    yield Row("site", f"{what}: added to a compile", "≤ 3 s", against, more, f" {SECOND}", *shown)
    folder = project / "generated" / "site"
    largest = max(each.stat().st_size for each in folder.rglob("*.html"))
    yield Row("site", f"{what}: largest page", "≤ 300 KB", "–", largest / 1000, " KB")
    index = (folder / "search.js").stat().st_size
    yield Row("site", f"{what}: search index", "≤ 1000 KB", "–", index / 1000, " KB")
    times = _times(folder / "index.html")
    slow = quantiles(times, n=20)[-1]
    note = f"p50 {median(times):.0f} ms, {len(times)} keys"
    yield Row("site", f"{what}: key to painted result, p95", "≤ 50 ms", "–", slow, " ms", note=note)


def _times(index: Path) -> list[float]:
    # Where no browser is installed, the other rows can be measured.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        times = key_to_paint(browser.new_page(), index, WORDS)
        browser.close()
    return times


ROWS: dict[str, Callable[[Workshop], Iterator[Row]]] = {"site": site}
