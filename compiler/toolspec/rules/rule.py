"""Declaration of a rule, and loading of the module that declares it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from toolspec.diagnostics import DiagnosticKind
from toolspec.ir import Service
from toolspec.rules.facts import ProjectFacts
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.visits import DocumentVisit, SchemaVisit, ToolVisit
from toolspec.shared.packages import submodules
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import ModuleType

    from toolspec.diagnostics import Diagnostic, Severity
    from toolspec.syntax.nodes import JsonObject

VISITS = (ProjectFacts, Service, ToolVisit, SchemaVisit, LoweredVisit, DocumentVisit)
Part: TypeAlias = "Service | ToolVisit | SchemaVisit | LoweredVisit | DocumentVisit"
Visit: TypeAlias = "ProjectFacts | Part"


@dataclass(frozen=True, slots=True)
class Rule:
    """A loaded rule: `check` takes an instance of `visits` and yields diagnostics.

    `summary` is the docstring of its module. `options` are the JSON Schemas of its options by name,
    each with a `default`. If there are any, their values are the second argument. A rule of schemas
    with `keywords` is not called for schemas without any of them. `distribution` is that of a rule
    which is not built in.
    """

    kind: DiagnosticKind
    visits: type[Visit]
    check: Callable[..., Iterator[Diagnostic]]
    summary: str
    options: Mapping[str, JsonObject] = field(default_factory=dict)
    keywords: frozenset[str] = frozenset()
    distribution: str = ""

    @property
    def code(self) -> str:
        """Its `family/slug`."""
        return self.kind.code

    def bound(self, stated: JsonObject) -> Callable[[Visit], Iterator[Diagnostic]]:
        """Return its check with some options set, the others at their defaults.

        A rule of another distribution that raises is reported once, and then not called any more.
        """
        check = self.check
        if self.options:
            defaults = {name: schema["default"] for name, schema in self.options.items()}
            check = partial(_with_options, check, {**defaults, **stated})
        if not self.distribution:
            return check
        from toolspec.rules.guard import guarded

        return guarded(self, check)


def _with_options(
    check: Callable[..., Iterator[Diagnostic]], options: JsonObject, visit: Visit
) -> Iterator[Diagnostic]:
    return check(visit, options)


def declare(module: str, severity: Severity, message: str, hint: str) -> DiagnosticKind:
    """Return the kind of a rule, called with the `__name__` of its module.

    The code is derived from that name. The manual is `<slug>.md` beside the module: paragraphs with
    the reason, then the headings `## Reported` and `## Accepted` with YAML blocks. A block contains
    only the parts of a document that matter to the rule. No manual is read until a reader asks.
    """
    family, slug = module.split(".")[-2:]
    return DiagnosticKind(
        code=f"{family}/{slug.replace('_', '-')}",
        severity=severity,
        message=message,
        hint=hint,
        is_rule=True,
        module=module,
    )


def limit_option(default: int, description: str) -> dict[str, JsonObject]:
    """Return the options of a rule whose only one is a `limit` of at least 1."""
    schema: JsonObject = {
        "type": "integer",
        "minimum": 1,
        "default": default,
        "description": description,
    }
    return {"limit": schema}


def int_option(options: JsonObject, name: str) -> int:
    """Return an option whose schema is an integer."""
    value = options[name]
    assert isinstance(value, int), "the configuration is checked against the rule's options"
    return value


def modules(family: str, package: str, folders: Iterable[str]) -> dict[str, str]:
    """Return the module names of a family's rules by code; none is imported."""
    return {
        f"{family}/{name.replace('_', '-')}": f"{package}.{name}" for name in submodules(folders)
    }


def load(module: ModuleType, code: str) -> Rule:
    """Return the rule that a module declares with `KIND`, `VISITS` and `check`; else TypeError.

    Optional are `OPTIONS` and, for a rule of schemas, the `KEYWORDS` without which it finds
    nothing.
    """
    kind, visits = getattr(module, "KIND", None), getattr(module, "VISITS", None)
    check, options = getattr(module, "check", None), getattr(module, "OPTIONS", {})
    keywords = frozenset(getattr(module, "KEYWORDS", ()))
    if (
        isinstance(kind, DiagnosticKind)
        and kind.code == code
        and visits in VISITS
        and callable(check)
        and all("default" in schema for schema in options.values())
        and (not keywords or visits is SchemaVisit)
    ):
        return Rule(kind, visits, check, module.__doc__ or "", options, keywords)
    message = (
        f"{module.__name__} is no rule `{code}`: it needs KIND of this code, VISITS and check()"
    )
    raise TypeError(message)
