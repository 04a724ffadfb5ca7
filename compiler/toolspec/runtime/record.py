"""The base of the runtime's values: named fields with defaults, without what dataclasses cost."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import inspect
    from collections.abc import Mapping, Sequence
    from typing import ClassVar, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """Return a decorator that changes nothing: only type checkers read this one."""
        return lambda cls: cls


class _Signature:
    """The signature of a record class, made when `help` or an editor asks for it."""

    def __get__(self, _: object, owner: type[Record]) -> inspect.Signature:
        """Return the fields of the class as parameters that are passed by name."""
        import inspect

        def default(name: str) -> object:
            is_required = name in owner._required  # noqa: SLF001 - the class that it belongs to
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
    """A value with named fields, given by keyword; class attributes are their defaults.

    Raises TypeError for fields that are unknown or missing. Type checkers see a frozen
    dataclass; at run time there is no generated code, and importing it costs nothing.
    """

    __signature__ = _Signature()

    _known: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls._known = frozenset(cls.__annotations__)
        cls._required = cls._known.difference(cls.__dict__)

    def __init__(self, *values: object, **fields: object) -> None:
        """Take the fields by name; the signature of the class lists them."""
        if values or not self._required <= fields.keys() <= self._known:
            raise TypeError(_problem(type(self), values, fields))
        self.__dict__ = fields  # nobody else holds it, so no copy

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"


def _problem(cls: type[Record], values: Sequence[object], fields: Mapping[str, object]) -> str:
    """Return what is wrong with the arguments of a record, in one sentence."""
    names = [name for name in cls.__annotations__ if name in cls._known]
    if values and names:
        return f"{cls.__name__}() takes its fields by name: {cls.__name__}({'=…, '.join(names)}=…)"
    quoted = [f"`{name}`" for name in names]
    if unknown := [f"`{name}`" for name in fields if name not in names]:
        *most, last = quoted or [""]
        known = f"its fields are {', '.join(most)} and {last}" if most else f"its field is {last}"
        known = known if quoted else "it has no fields"
        return f"{cls.__name__}() has no field {', '.join(unknown)}; {known}"
    missing = [f"`{name}`" for name in names if name in cls._required - fields.keys()]
    kind = "field" if len(missing) == 1 else "fields"
    return f"{cls.__name__}() is missing the {kind} {', '.join(missing)}"
