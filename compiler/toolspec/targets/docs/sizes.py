"""Table of tool definition sizes in tokens, by target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.tokens import BYTES, by_target
from toolspec.sinks.markdown import code
from toolspec.sinks.markdown_layout import blocks, section, table
from toolspec.targets.docs.paths import link
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolspec.ir import Tool
    from toolspec.providers.tokens import Sizes

ESTIMATE = (
    "Tokens are what a definition costs in every request to a model: an estimate, one for every "
    f"{BYTES} bytes of its name, its description and its arguments as they are sent."
)


def size_section(tools: Sequence[Tool], known: Sizes) -> str:
    """Return the sizes of tools by target; only the method of estimation if all targets agree."""
    sizes = [known.each[exact_name(tool)] for tool in tools]
    if all(len({*by_target(each).values()}) == 1 for each in sizes):
        return section("## Tokens", ESTIMATE)
    targets = list(by_target(known.together))
    rows = [(link(tool), *_row(each, targets)) for tool, each in zip(tools, sizes, strict=True)]
    rows.append(("together", *_row(known.together, targets)))
    return section("## Tokens", blocks(ESTIMATE, table(("Tool", *map(code, targets)), rows)))


def _row(sizes: Mapping[str, int], targets: Sequence[str]) -> list[str]:
    """Return a cell for each target; a dash where the tool is not sent to it."""
    return [f"{sizes[name]:,}" if name in sizes else "–" for name in targets]
