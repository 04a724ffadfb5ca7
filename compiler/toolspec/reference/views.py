"""Reference page of the templates' views."""

from __future__ import annotations

from toolspec.driver.view_pages import PAGES, view_page
from toolspec.sinks.markdown_layout import blocks


def views_page() -> str:
    """Return the page of all views."""
    page = blocks(
        "# Views of the templates",
        "A template reads a view: these classes and nothing else. A version of a view only gets new "
        "fields; any other change makes a new version. `toolspec templates` lists the templates, "
        "`toolspec templates --view TARGET` prints a part of this page, and [targets.md](targets.md) "
        "describes the targets.",
        *map(view_page, PAGES),
    )
    return f"{page}\n"
