"""Views into pages: the only place that knows the template engine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from toolspec.targets.docs.index_page import IndexPage
    from toolspec.targets.docs.service_page import ServicePage

# A fence as a whole, so that it is left alone, or lines that templates left empty.
_BLANK_LINES = re.compile(
    r"^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)$|\n{3,}", re.MULTILINE | re.DOTALL
)


class Renderer:
    """The templates of this package; they lay out what a view holds and decide nothing."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=PackageLoader("toolspec.targets.docs"),
            undefined=StrictUndefined,
            autoescape=False,  # noqa: S701 # every text of a view has passed the sink for Markdown
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def render(self, template: str, view: IndexPage | ServicePage) -> str:
        """Return the page: no run of blank lines, one newline at the end."""
        page = self._environment.get_template(template).render(view=view)
        return _BLANK_LINES.sub(_tight, page).strip("\n") + "\n"


def _tight(found: re.Match[str]) -> str:
    return found[0] if found["fence"] else "\n\n"
