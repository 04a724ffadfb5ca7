"""What may run without asking, what has to be asked for, and what is off."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Mode: TypeAlias = Literal["off", "ask", "auto"]


class Permission(Record):
    """A resource and what is done with it; `operation` is empty for a tool."""

    kind: str
    resource: str
    operation: str = ""


class Rule(Record):
    """A mode for the tools, or for the permissions, that its pattern fits (`*` is any text).

    `tool` is a full name, `permission` is `kind:resource` or `kind:resource:operation`; a rule
    with both is for that permission of that tool.
    """

    mode: Mode
    tool: str = "*"
    permission: str = ""


class PolicySource(Record):
    """Rules of one origin: the most specific one that fits decides.

    `skip` turns every `ask` of this source into `auto`, never an `off`.
    """

    name: str
    rules: tuple[Rule, ...] = ()
    skip: bool = False


class Policy(Record):
    """All sources together: `off` in one wins over every other, then `ask` over `auto`."""

    sources: tuple[PolicySource, ...] = ()
