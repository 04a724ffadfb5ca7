"""Everything that the module of a kind of change imports.

A kind is a module `kinds/<family>/<slug>.py` with `KIND`, and its manual `<slug>.md` beside it. What
else it has says how it is found:

- Kinds of the families `argument` and `result` have nothing else: the comparison of two schemas
  (`schemas.py`) reports them by their slug.
- `FACT` is the name of a fact (`side.py`), with a dot for a member of it, and `found(old, new)` yields
  the values of a message for each change:

        FACT = "mutation"

        def found(old: JsonValue, new: JsonValue) -> Found:
            if new and not old:
                yield {}

  `DERIVED_FROM` names facts from which this one is derived: if one of them differs as well, only that
  is reported. With `SERVICE = True` it is a fact of a service. `tool` or `service` is among the values already.
- `REFINES` names codes, and `refined(change, old, new)` returns the values of a message if a change of
  these codes, with the facts of the tool before and after, has this more specific kind; else None. Of
  several kinds that fit, the gravest counts. With `KEEPS_LEVELS = True` the effects of the refined kind
  count too, since this one only adds an audience.
- `NEEDS` names further facts that it reads: it is reported only where both sides show them, and its
  `found` gets all facts of the tool before and after. With an empty `FACT` it is called for each tool.
- Kinds with none of these are reported by the comparison of tools (`compare.py`) by their code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from toolspec.changes.change import SERVER, Change
from toolspec.changes.kind import declare
from toolspec.shared.json_values import are_equal, shown

if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonObject, JsonValue
else:
    JsonObject = JsonValue = object  # names for the annotations of kinds

Found: TypeAlias = Iterator["JsonObject"]

__all__ = ["SERVER", "Change", "Found", "JsonObject", "JsonValue", "are_equal", "declare", "shown"]
