"""How long a site takes from a key to the painted result of its search, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from playwright.sync_api import Page

_TIMER = """() => {
  const input = document.querySelector(".finder input");
  window.times = [];
  let pressed = 0;
  input.addEventListener("keydown", (event) => (pressed = event.timeStamp));
  // The page's own handler came first; a message is handled after the frame was painted.
  input.addEventListener("input", () => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.times.push(performance.now() - pressed);
    requestAnimationFrame(() => channel.port2.postMessage(0));
  });
}"""


def key_to_paint(page: Page, index: Path, words: Iterable[str]) -> list[float]:
    """Return the milliseconds from each key of the words to the painted result."""
    page.goto(index.as_uri())
    page.keyboard.press("/")
    page.locator(".finder input").fill("a")
    page.locator("#found li").first.wait_for()
    page.evaluate(_TIMER)
    pressed = 0
    for word in words:
        page.locator(".finder input").select_text()
        for character in word:
            page.keyboard.press("Space" if character == " " else character)
            pressed += 1
            page.wait_for_function("count => times.length === count", arg=pressed)
    times: list[float] = page.evaluate("times")
    return times
