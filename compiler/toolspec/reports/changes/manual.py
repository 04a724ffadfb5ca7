"""Manual of a kind of change."""

from __future__ import annotations

from importlib.resources import files

from toolspec.changes.catalogue import entry
from toolspec.reports.changes.comparison import affected


def change_page(code: str) -> str:
    """Return the manual of a kind of change: whom it affects, why, both versions, and its settings."""
    kind, summary = entry(code).kind, entry(code).summary
    readers = affected(kind.levels) or "nobody"
    mirror = f"Reversed, it is `{kind.mirror}`.\n" if kind.mirror else ""
    package, _, slug = kind.module.rpartition(".")
    text = files(package).joinpath(f"{slug}.md").read_text("utf-8")
    settings = (
        f"Suppress one with `# toolspec: allow {code} -- REASON`; turn all off, or set their level, with\n"
        f'`[contract] level = {{"{code}" = "off"}}`.'
    )
    return f"{code}: {summary}\n\nAffects: {readers}.\n{mirror}\n{text.rstrip()}\n\n{settings}"
