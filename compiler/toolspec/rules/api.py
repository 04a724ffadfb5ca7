"""Everything that the module of a rule imports.

A rule is a module `<family>/<slug>.py` with `KIND`, `VISITS` and `check`, and its manual
`<slug>.md` beside it:

    from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span

    KIND = declare(__name__, Severity.WARNING, "`{name}` ends in `tool`", "leave the word out")
    VISITS = ToolVisit

    def check(visit: ToolVisit) -> Diagnostics:
        if visit.tool.name.endswith("tool"):
            yield KIND.at(name_span(visit.tool), name=visit.tool.name)

`OPTIONS` adds options, and `KEYWORDS` limits a rule of schemas to those that use one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from toolspec.diagnostics import (
    Diagnostic,
    Label,
    Severity,
    Subject,
    TextEdit,
    did_you_mean,
)
from toolspec.frontend import edits
from toolspec.frontend.locations import name_span
from toolspec.frontend.naming.collisions import LONGEST
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.frontend.naming.join import TOOL_NAME
from toolspec.ir import (
    AuthKind,
    Credentials,
    Effect,
    Idempotency,
    PermissionKind,
    Service,
    Tool,
)
from toolspec.providers.ledger import Outcome
from toolspec.providers.profile import find_profile
from toolspec.rules.facts import ProjectFacts, ToolFacts
from toolspec.rules.grouping import (
    LABELS,
    at_tools,
    counted,
    everywhere,
    property_names,
    together,
)
from toolspec.rules.known_values import unknown_values
from toolspec.rules.levels import Levels
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.paging import paging_roles
from toolspec.rules.prose import (
    HUGE_DESCRIPTION,
    hides_values,
    holds_always,
    open_in_time,
    stated_bounds,
    stated_default,
    stated_values,
    text_of,
)
from toolspec.rules.rule import declare, int_option, limit_option
from toolspec.rules.subjects import ABOUT, idle_keywords, implied_type, misfits
from toolspec.rules.unions import are_disjoint, branches, is_inside, is_object, lacks, meant
from toolspec.rules.visits import DocumentVisit, Property, Role, SchemaVisit, ToolVisit
from toolspec.rules.words import (
    CHANGING,
    CREATING,
    DESTROYING,
    READING,
    SYNONYMS,
    destroys,
    is_credential,
    is_repeatable,
    listed,
    plain_words,
    plain_words_of,
    says_only,
    style_of,
    words_of,
)
from toolspec.schema.contradictions import types_of
from toolspec.schema.diagnostics import listed as alternatives
from toolspec.schema.diagnostics import shown
from toolspec.schema.patterns import fault_of as pattern_fault
from toolspec.schema.walk import applied, members, survey
from toolspec.shared.encodings import ENCODINGS
from toolspec.shared.json_values import has_type
from toolspec.shared.keywords import ASSERTED_FORMATS as FORMATS
from toolspec.shared.keywords import CONTAINERS, IN_PLACE
from toolspec.shared.packages import read_data
from toolspec.shared.paging_names import POSITIONS, PagingRole, paging_role
from toolspec.shared.spelling import nearest
from toolspec.shared.suspect_texts import (
    PHRASES,
    ROLE_MARK,
    find_claim,
    find_hidden_markup,
    find_injection_phrase,
    find_role_mark,
    find_steering,
)
from toolspec.shared.tokens import BYTES
from toolspec.syntax.nodes import JsonObject, JsonValue, Location
from toolspec.syntax.pointer import Path

Diagnostics: TypeAlias = Iterator[Diagnostic]

__all__ = [
    "ABOUT",
    "BYTES",
    "CHANGING",
    "CONTAINERS",
    "CREATING",
    "DESTROYING",
    "ENCODINGS",
    "FORMATS",
    "HUGE_DESCRIPTION",
    "IN_PLACE",
    "LABELS",
    "LONGEST",
    "PHRASES",
    "POSITIONS",
    "READING",
    "ROLE_MARK",
    "SYNONYMS",
    "TOOL_NAME",
    "AuthKind",
    "Credentials",
    "Diagnostic",
    "Diagnostics",
    "DocumentVisit",
    "Effect",
    "Idempotency",
    "JsonObject",
    "JsonValue",
    "Label",
    "Levels",
    "Location",
    "LoweredVisit",
    "Outcome",
    "PagingRole",
    "Path",
    "PermissionKind",
    "ProjectFacts",
    "Property",
    "Role",
    "SchemaVisit",
    "Service",
    "Severity",
    "Subject",
    "TextEdit",
    "Tool",
    "ToolFacts",
    "ToolVisit",
    "alternatives",
    "applied",
    "are_disjoint",
    "at_tools",
    "branches",
    "counted",
    "declare",
    "destroys",
    "did_you_mean",
    "edits",
    "everywhere",
    "find_claim",
    "find_hidden_markup",
    "find_injection_phrase",
    "find_profile",
    "find_role_mark",
    "find_steering",
    "has_type",
    "hides_values",
    "holds_always",
    "idle_keywords",
    "implied_type",
    "int_option",
    "is_credential",
    "is_inside",
    "is_object",
    "is_repeatable",
    "lacks",
    "limit_option",
    "listed",
    "meant",
    "members",
    "misfits",
    "name_span",
    "nearest",
    "open_in_time",
    "paging_role",
    "paging_roles",
    "pattern_fault",
    "plain_words",
    "plain_words_of",
    "property_names",
    "read_data",
    "says_only",
    "shown",
    "snake_case",
    "stated_bounds",
    "stated_default",
    "stated_values",
    "style_of",
    "survey",
    "text_of",
    "together",
    "types_of",
    "unknown_values",
    "words_of",
]
