"""Reference page of the targets: their output, their options, and the provider profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reference.profiles import profile_path
from toolspec.reference.schemas import options_table
from toolspec.sinks.markdown import cell, code, prose
from toolspec.sinks.markdown_layout import blocks, section, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.providers.profile import Profile
    from toolspec.targets.target import Target


def targets_page(targets: Sequence[Target], profiles: Sequence[Profile]) -> str:
    """Return the page of the built-in targets, and the table of the providers' profiles."""
    page = blocks(
        "# Targets",
        'A project names its targets: `targets = ["python", "docs"]` in its '
        "configuration, or `--target`.",
        table(("Target", "Output"), ((code(t.name), prose(t.summary)) for t in targets)),
        *(_options(target) for target in targets),
        section("## Model providers", _ABOUT, _table(profiles)),
    )
    return f"{page}\n"


_ABOUT = (
    "Each provider accepts a part of JSON Schema. A dated profile describes it, and the steps that lower a "
    "schema to it."
)


def _options(target: Target) -> str:
    options = target.options.get("properties")
    listed = options_table(options) if isinstance(options, dict) else ""
    return section(f"## Options of {code(target.name)}", listed)


def _table(profiles: Sequence[Profile]) -> str:
    rows = (
        (
            f"[{code(each.name)}]({profile_path(each)})",
            cell(each.title),
            each.date,
            "yes" if each.is_strict else "no",
        )
        for each in profiles
    )
    return table(("Target", "Provider", "As of", "Strict"), rows)
