"""All reference pages by their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes import catalogue as changes
from toolspec.driver import manual
from toolspec.driver.view_pages import PAGES, view_page
from toolspec.providers.profile import find_profile
from toolspec.providers.profile import names as profile_names
from toolspec.reference.changes import changes_page
from toolspec.reference.commands import commands_page
from toolspec.reference.diagnostics import diagnostics_page, rules_page
from toolspec.reference.targets import profile_page, profile_path, targets_page
from toolspec.rules.engine import all_rules
from toolspec.sinks.markdown import blocks, bullets
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Mapping

INDEX = "README.md"


def pages() -> Mapping[str, str]:
    """Return the text of every page by its path; deterministic."""
    rules, targets = all_rules(), discovery.built_in()
    profiles = list(filter(None, map(find_profile, profile_names())))
    kinds = manual.kinds()
    pages_by_path = {
        "rules.md": rules_page(rules),
        "diagnostics.md": diagnostics_page(kinds.values(), frozenset(rule.code for rule in rules)),
        "changes.md": changes_page(changes.entries()),
        "targets.md": targets_page(targets, profiles),
        "cli.md": commands_page(),
        "views.md": views_page(),
    }
    pages_by_path |= {profile_path(profile): profile_page(profile) for profile in profiles}
    index = blocks(
        "# Reference",
        "Generated from the code by `make reference`; a test fails if a page is out of date.",
        bullets(
            (
                f"[Rules](rules.md): the {len(rules)} lint rules with examples, options and fixes.",
                f"[Diagnostics](diagnostics.md): all {len(kinds)} kinds.",
                f"[Changes](changes.md): all {len(changes.entries())} kinds, and whom they affect.",
                "[Targets](targets.md): what is generated, and what each model provider takes.",
                "[Commands](cli.md): every verb with its options.",
                "[Views](views.md): the values that templates read, and their filters.",
            )
        ),
    )
    return {INDEX: f"{index}\n", **pages_by_path}


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
