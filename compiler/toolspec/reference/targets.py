"""Reference pages of targets: their output and options; each provider's limits and keywords."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from toolspec.providers.features import FEATURES
from toolspec.providers.profile import Limits
from toolspec.providers.steps import LIMIT_STEPS, STEPS
from toolspec.reference.options import options_table
from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import fields
from toolspec.sinks.markdown import blocks, cell, code, prose, section, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.providers.profile import Profile, Stage
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
            f"[{code(profile.name)}]({profile_path(profile)})",
            cell(profile.title),
            profile.date,
            "yes" if profile.is_strict else "no",
        )
        for profile in profiles
    )
    return table(("Target", "Provider", "As of", "Strict"), rows)


_SENT = {"E": "enforced", "H": "hint", "I": "ignored", "X": "rejected", "?": "unknown"}
LIMITS = {
    "name_pattern": "Pattern of a tool's name",
    "name_length": "Characters of a tool's name",
    "name_length_advised": "Characters of a tool's name, advised",
    "description_length": "Characters of a description",
    "description_length_advised": "Characters of a description, advised",
    "description_bytes": "Bytes of a description",
    "tools": "Tools of a request",
    "tools_advised": "Tools of a request, advised",
    "request_bytes": "Bytes of a request",
    "property_pattern": "Pattern of a property's name",
    "property_scope": "Properties that the pattern applies to",
    "properties": "Properties of a strict schema",
    "depth": "Levels of a strict schema",
    "enum_values": "Values of all enums of a strict schema",
    "text": "Characters of all names and values of a strict schema",
    "long_enum_values": "Values from which an enum is long",
    "long_enum_text": "Characters of a long enum",
    "strict_tools": "Strict tools of a request",
    "optional_parameters": "Optional parameters of all strict tools of a request",
    "union_parameters": "Parameters with a union of all strict tools of a request",
}
# References to notes on providers, which readers of the page do not have.
_NUMBER = re.compile(r" \(A\d+\)")


def profile_path(profile: Profile) -> str:
    """Return the path of a profile's page."""
    return f"targets/{profile.name}.md"


def profile_page(profile: Profile) -> str:
    """Return the page of a profile."""
    strict = "Tools are strict: the provider enforces their schemas. "
    fallback = f"A tool without a strict form is sent as for {code(profile.fallback)}."
    page = blocks(
        f"# {code(profile.name)}",
        f"{cell(profile.title)}, as of {profile.date} · [all targets](../targets.md)",
        (strict if profile.is_strict else "") + (fallback if profile.fallback else ""),
        section("## Limits", table(("Limit", "Value", "Note"), _limits(profile))),
        section(
            "## Keywords",
            _KEYWORDS,
            table(("Keyword", "Support", "Confidence", "Note"), _rows(profile)),
        ),
        section("## Lowering steps", _STEPS, _steps(profile)),
    )
    return f"{page}\n"


_KEYWORDS = (
    "The provider enforces a keyword, shows it to the model as a hint, ignores it, or rejects the whole "
    "request. The confidence is that of the evidence."
)
_STEPS = (
    "In this order. The ledger beside the manifest has the outcome of each keyword of each tool."
)


def _limits(profile: Profile) -> list[tuple[str, ...]]:
    default = Limits()
    values = ((limit.name, getattr(profile.limits, limit.name)) for limit in fields(Limits))
    return [
        (LIMITS[name], _value(value), prose(profile.notes.get(name, "")))
        for name, value in values
        if value != getattr(default, name)
    ]


def _value(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else code(str(value))


def _rows(profile: Profile) -> list[tuple[str, ...]]:
    features = ((text, profile.treatment(name)) for name, text in FEATURES.items())
    return [
        (cell(text), _SENT[treatment.sent], treatment.confidence, prose(treatment.note))
        for text, treatment in features
    ]


def _steps(profile: Profile) -> str:
    stages = enumerate(profile.steps, 1)
    return "\n".join(f"{number}. {_step(stage)}" for number, stage in stages)


def _step(stage: Stage) -> str:
    step = STEPS.get(stage.step) or LIMIT_STEPS[stage.step]
    manual = sys.modules[step.__module__].__doc__ or ""
    summary = _NUMBER.sub("", manual.partition("\n")[0])
    options = (f"{key}: {canonical_json(value)}" for key, value in stage.options.stated.items())
    with_ = ", ".join(map(code, options))
    return f"{code(stage.step)} {prose(summary)}{f' With {with_}.' if with_ else ''}"
