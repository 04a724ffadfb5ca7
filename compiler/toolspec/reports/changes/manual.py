"""Manual of a kind of change."""

from __future__ import annotations

from importlib.resources import files

from toolspec.changes.catalogue import entry
from toolspec.changes.visibility import View, needs_own_server, views
from toolspec.reports.changes.comparison import affected


def change_page(code: str) -> str:
    """Return the manual of a kind of change: whom it affects, why, both versions, and its settings."""
    kind, summary = entry(code).kind, entry(code).summary
    readers = affected(kind.levels) or "nobody"
    mirror = f"Reversed, it is `{kind.mirror}`.\n" if kind.mirror else ""
    package, _, slug = kind.module.rpartition(".")
    text = files(package).joinpath(f"{slug}.md").read_text("utf-8")
    seen = f"Seen in: {seen_in(code)}.\n"
    settings = (
        f"Suppress one with `# toolspec: allow {code} -- REASON`; turn all off, or set their level, with\n"
        f'`[contract] level = {{"{code}" = "off"}}`.'
    )
    return (
        f"{code}: {summary}\n\nAffects: {readers}.\n{seen}{mirror}\n{text.rstrip()}\n\n{settings}"
    )


def seen_in(code: str) -> str:
    """Return the views that show a kind of change, such as `spec, contract`."""
    own = " of tools that toolspec serves"
    of_others = (View.DUMP, View.CLIENT)
    return ", ".join(
        f"{view}{own if view in of_others and needs_own_server(code) else ''}"
        for view in View
        if view in views(code)
    )
