"""Runs built-in templates without Jinja2, whose import costs more than a small compile.

`compiled_templates.py` of a target has a generator function for each template. They consist of the
code that Jinja2 generates (`reference/compiled_templates.py`); this module has what they call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import TypeAlias

Context: TypeAlias = Mapping[str, object]
Function: TypeAlias = "Callable[[Context, Runtime], Iterator[str]]"


class Runtime:
    """The built-in templates of a target: `write` turns a value that they write into text."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        write: Callable[[object], str],
        filters: Mapping[str, Callable[..., object]],
    ) -> None:
        self._functions = functions
        self.write = write
        self.filters: dict[str, Callable[..., object]] = {
            "length": len,
            "string": str,
            "map": self._map,
            **filters,
        }
        self.tests: dict[str, Callable[[object], bool]] = {"none": lambda value: value is None}

    def render(self, name: str, context: Context) -> tuple[str]:
        """Return the text of a template, as the only part of the template that includes it."""
        return ("".join(self._functions[name](context, self)),)

    def _map(
        self, _: Context, values: Iterable[object], name: str = "", *, attribute: str = ""
    ) -> Iterator[object]:
        """Yield an attribute of each value, or the result of a filter for it."""
        return map(attrgetter(attribute) if attribute else self.filters[name], values)


class LoopContext:
    """Iterates over values, each with this object: `loop` in the templates."""

    def __init__(self, values: Iterable[object]) -> None:
        self._values = tuple(values)
        self.length = len(self._values)
        self.first = self.last = False

    def __iter__(self) -> Iterator[tuple[object, LoopContext]]:
        """Yield each value and this object."""
        for position, value in enumerate(self._values, 1):
            self.first, self.last = position == 1, position == self.length
            yield value, self


def str_join(values: Iterable[object]) -> str:
    """Return values as one text: `~` of the templates."""
    return "".join(map(str, values))
