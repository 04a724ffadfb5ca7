"""Sections of a rule's page besides its manual: severities, options, fixes, suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.lint import codes
from toolspec.frontend.suppressions.suppression import RISKS
from toolspec.rules import engine, presets
from toolspec.rules.fixes import fixes
from toolspec.shared.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import DiagnosticKind
    from toolspec.rules.rule import Rule


def about_rule(kind: DiagnosticKind) -> Iterator[str]:
    """Yield paragraphs about a rule, or how to suppress a diagnostic that counts as one."""
    if not kind.is_rule:
        return
    if not codes.is_rule(kind.code):
        yield _suppression(kind.code)
        return
    rule = engine.find(kind.code)
    severities = (f"{_severity(kind.code, name)} in {name}" for name in presets.NAMES)
    yield f"Severity: {', '.join(severities)}"
    if rule.options:
        yield "\n".join(_options(rule))
    for title, is_safe in fixes(rule):
        option = "" if is_safe else " --unsafe-fixes"
        yield f"Fix ({'safe' if is_safe else 'unsafe'}): {title}: `toolspec check --fix{option}`"
    yield _suppression(kind.code)


def _severity(code: str, preset: str) -> str:
    setting = presets.settings(preset).get(code)
    return str(setting.severity) if setting and setting.severity else presets.OFF


def _options(rule: Rule) -> Iterator[str]:
    yield f'Options, in `[lint.options."{rule.code}"]`:\n'
    for name, schema in rule.options.items():
        about = str(schema.get("description", "")).rstrip(".")
        yield f"    {name} = {canonical_json(schema['default'])}" + (f"  {about}" if about else "")


def _suppression(code: str) -> str:
    """Return how to suppress a diagnostic of a rule, or to turn the rule off."""
    is_risk = code.startswith(RISKS)
    until = " until 2027-01-31" if is_risk else ""
    member = ", until: 2027-01-31" if is_risk else ""
    return "\n".join(
        (
            "To suppress one, write above its location or on its line:\n",
            f"    # toolspec: allow {code}{until} -- REASON",
            f"    x-toolspec-allow: [{{rule: {code}, reason: REASON{member}}}]",
            "\nTo turn the rule off, in the configuration:\n",
            f'    [lint]\n    ignore = ["{code}"]',
        )
    )
