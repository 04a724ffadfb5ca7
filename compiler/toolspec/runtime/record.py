"""The base of the runtime's values: named fields with defaults, without what dataclasses cost."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import ClassVar, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """Return a decorator that changes nothing: only type checkers read this one."""
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """A value with named fields, given by keyword; class attributes are their defaults.

    Complains (TypeError) of fields that are unknown or missing. Type checkers see a frozen
    dataclass; at run time there is no generated code, and importing it costs nothing.
    """

    _known: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls._known = frozenset(cls.__annotations__)
        cls._required = cls._known.difference(cls.__dict__)

    def __init__(self, **fields: object) -> None:
        given = fields.keys()
        if not self._required <= given <= self._known:
            wrong = sorted((given - self._known) | (self._required - given))
            problem = f"{type(self).__name__}: unknown or missing fields: {', '.join(wrong)}"
            raise TypeError(problem)
        self.__dict__ = fields  # nobody else holds it, so no copy

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"
