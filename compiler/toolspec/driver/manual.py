"""Manual of every diagnostic kind, collected from the packages that declare them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.diagnostics import DiagnosticKind


_PLACEHOLDERS = re.compile(r"\{\w+\}")


def kinds() -> dict[str, DiagnosticKind]:
    """Return every diagnostic kind by code, sorted.

    Raises ValueError if a code is declared twice.
    """
    from toolspec.driver.kinds import KINDS as DRIVER
    from toolspec.driver.lint.kinds import KINDS as LINT
    from toolspec.driver.output_kinds import KINDS as OUTPUT
    from toolspec.driver.rewriting_kinds import KINDS as REWRITING
    from toolspec.driver.user_kinds import KINDS as USER
    from toolspec.frontend.kinds import KINDS as FRONTEND
    from toolspec.frontend.naming.kinds import KINDS as NAMING
    from toolspec.importers.kinds import KINDS as IMPORTERS
    from toolspec.rules.engine import all_rules
    from toolspec.schema.kinds import KINDS as SCHEMA
    from toolspec.syntax.kinds import KINDS as SYNTAX
    from toolspec.targets import discovery, installed
    from toolspec.usercode.kinds import KINDS as HANDLERS

    targets = (kind for target in discovery.built_in() for kind in target.kinds)
    rules = (rule.kind for rule in all_rules())
    project = (*DRIVER, *LINT, *OUTPUT, *USER, *HANDLERS, *REWRITING)
    every = (
        *(*SYNTAX, *SCHEMA, *FRONTEND, *NAMING, *project, *IMPORTERS, *rules, *targets),
        installed.FAILED,
    )
    found: dict[str, DiagnosticKind] = {}
    for kind in every:
        if found.setdefault(kind.code, kind) is not kind:
            message = f"{kind.code} is declared twice"
            raise ValueError(message)
    return dict(sorted(found.items()))


def page(kind: DiagnosticKind) -> str:
    """Return the manual page of a kind as plain text."""
    from toolspec.driver.lint.rule_manual import about_rule

    parts = [f"{kind.severity}[{kind.code}] {kind.message}"]
    manual = kind.manual
    parts += [manual.why] if manual.why else []
    if said := advice(kind):
        parts.append(f"What to do: {said}")
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
