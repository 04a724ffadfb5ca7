"""Manual of every diagnostic kind, collected from the packages that declare them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.driver.lint import codes
from toolspec.frontend.allow_syntax.parsed import RISKS
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


_PLACEHOLDERS = re.compile(r"\{\w+\}")


def kinds() -> dict[str, DiagnosticKind]:
    """Return every diagnostic kind by code, sorted.

    Raises ValueError if a code is declared twice.
    """
    from toolspec.driver.contract.contract_kinds import KINDS as CONTRACT
    from toolspec.driver.contract.revision_kinds import KINDS as REVISIONS
    from toolspec.driver.kinds import KINDS as DRIVER
    from toolspec.driver.lint.kinds import KINDS as LINT
    from toolspec.driver.output_kinds import KINDS as OUTPUT
    from toolspec.driver.rewriting_kinds import KINDS as REWRITING
    from toolspec.driver.user_kinds import KINDS as USER
    from toolspec.frontend.kinds import KINDS as FRONTEND
    from toolspec.frontend.naming.kinds import KINDS as NAMING
    from toolspec.importers.kinds import KINDS as IMPORTERS
    from toolspec.importers.openapi.kinds import KINDS as OPENAPI
    from toolspec.reports.changes.diagnostics import KINDS as CHANGES
    from toolspec.rules import guard
    from toolspec.rules.engine import all_rules
    from toolspec.schema.kinds import KINDS as SCHEMA
    from toolspec.syntax.kinds import KINDS as SYNTAX
    from toolspec.targets import discovery, installed
    from toolspec.usercode.kinds import KINDS as HANDLERS

    targets = (kind for target in discovery.built_in() for kind in target.kinds)
    rules = (rule.kind for rule in all_rules())
    project = (*DRIVER, *LINT, *OUTPUT, *USER, *HANDLERS, *REWRITING, *REVISIONS, *CONTRACT)
    every = (
        *(
            *SYNTAX,
            *SCHEMA,
            *FRONTEND,
            *NAMING,
            *project,
            *IMPORTERS,
            *OPENAPI,
            *CHANGES,
            *rules,
            *targets,
        ),
        installed.FAILED,
        guard.FAILED,
    )
    by_code: dict[str, DiagnosticKind] = {}
    for kind in every:
        if by_code.setdefault(kind.code, kind) is not kind:
            message = f"{kind.code} is declared twice"
            raise ValueError(message)
    return dict(sorted(by_code.items()))


def page(kind: DiagnosticKind) -> str:
    """Return the manual page of a kind as plain text."""
    parts = [f"{kind.severity}[{kind.code}] {kind.message}"]
    manual = kind.manual
    parts += [manual.why] if manual.why else []
    if hint := advice(kind):
        parts.append(f"What to do: {hint}")
    if manual.example:
        example = "\n".join(f"    {line}" for line in manual.example.strip("\n").splitlines())
        parts.append(f"Example:\n\n{example}")
    parts += about_rule(kind)
    return "\n\n".join(parts)


def advice(kind: DiagnosticKind) -> str:
    """Return the hint of a kind, or an empty text if it differs for each diagnostic."""
    if not _PLACEHOLDERS.sub("", kind.hint).strip():
        return ""
    return kind.hint.replace("{{", "{").replace("}}", "}")
