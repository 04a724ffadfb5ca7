"""Everything that the front end finds, except in names: shape, includes, binding, resolving."""

from __future__ import annotations

from toolspec.frontend import bind_kinds, include_kinds, resolve_kinds, shape_kinds

KINDS = (*shape_kinds.KINDS, *include_kinds.KINDS, *bind_kinds.KINDS, *resolve_kinds.KINDS)
