"""All diagnostic kinds of the front end except naming."""

from __future__ import annotations

from toolspec.frontend.allow_syntax import kinds as suppression_kinds
from toolspec.frontend.bind import http_kinds
from toolspec.frontend.bind import kinds as bind_kinds
from toolspec.frontend.includes import kinds as include_kinds
from toolspec.frontend.resolve import kinds as resolve_kinds
from toolspec.frontend.shape import kinds as shape_kinds

KINDS = (
    *shape_kinds.KINDS,
    *include_kinds.KINDS,
    *bind_kinds.KINDS,
    *http_kinds.KINDS,
    *resolve_kinds.KINDS,
    *suppression_kinds.KINDS,
)
