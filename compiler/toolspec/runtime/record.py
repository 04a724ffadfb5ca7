"""Base class of the runtime's value types: named fields, without the import cost of dataclasses."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import inspect
    from collections.abc import Mapping, Sequence
    from typing import ClassVar, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """Return a decorator that changes nothing; it exists for type checkers only."""
        return lambda cls: cls


class _Signature:
    """Descriptor of a record class's signature, built when `help` or an editor reads it."""

    def __get__(self, _: object, owner: type[Record]) -> inspect.Signature:
        """Return the fields of the class as keyword parameters."""
        import inspect

        def default(name: str) -> object:
            is_required = name in owner._required  # noqa: SLF001 - the class it belongs to
            return inspect.Parameter.empty if is_required else getattr(owner, name)

        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Signature(
            [
                inspect.Parameter(name, kind, default=default(name), annotation=annotation)
                for name, annotation in owner.__annotations__.items()
                if name in owner._known  # noqa: SLF001 - the same
            ]
        )


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """A value with named fields, passed by keyword; class attributes are their defaults.

    Raises TypeError for unknown or missing fields. Type checkers see a frozen dataclass; at run
    time no code is generated.
    """

    __signature__ = _Signature()

    _known: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls._known = frozenset(cls.__annotations__)
        cls._required = cls._known.difference(cls.__dict__)

    def __init__(self, *values: object, **fields: object) -> None:
        """Set the fields by keyword; the class's signature lists them."""
        if values or not self._required <= fields.keys() <= self._known:
            raise TypeError(_problem(type(self), values, fields))
        self.__dict__ = fields  # not shared, so not copied

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"


def _problem(cls: type[Record], values: Sequence[object], fields: Mapping[str, object]) -> str:
    """Return the error message for a record's arguments."""
    names = [name for name in cls.__annotations__ if name in cls._known]
    if values and names:
        return f"{cls.__name__}() takes its fields by name: {cls.__name__}({'=…, '.join(names)}=…)"
    quoted = [f"`{name}`" for name in names]
    if unknown := [f"`{name}`" for name in fields if name not in names]:
        *most, last = quoted or [""]
        fields_text = (
            f"its fields are {', '.join(most)} and {last}" if most else f"its field is {last}"
        )
        fields_text = fields_text if quoted else "it has no fields"
        return f"{cls.__name__}() has no field {', '.join(unknown)}; {fields_text}"
    missing = [f"`{name}`" for name in names if name in cls._required - fields.keys()]
    kind = "field" if len(missing) == 1 else "fields"
    return f"{cls.__name__}() is missing the {kind} {', '.join(missing)}"
