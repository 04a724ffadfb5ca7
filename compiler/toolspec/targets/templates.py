"""Templates of a target: Jinja2 over a view, where every value is escaped unless it is `Code`.

A target writes its files with the templates in its own folder, compiled to functions
(`template_runtime.py`). A user can replace single ones; all of them then run in Jinja2's sandbox,
which nothing else imports.
"""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeAlias

from toolspec.diagnostics import did_you_mean
from toolspec.shared.records import dataclass, field
from toolspec.targets.template_runtime import Runtime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from types import EllipsisType

    from jinja2 import Environment
    from jinja2.runtime import Context

    from toolspec.source import SourceFile, Span
    from toolspec.targets.template_runtime import Function

SUFFIX = ".jinja"
_LOST = "no value of the service can be written inside of a block that is kept as a text"
Scalar: TypeAlias = "str | int | float | bool | None"
Constant: TypeAlias = "Scalar | EllipsisType"


class Code(str):
    """Text of the output language made by the compiler; a template writes it as it is.

    Text of a spec must never be passed here. Whatever a template makes of a `Code` (with a filter,
    or `~`) is a plain string again, and is escaped.
    """

    __slots__ = ()
    values: tuple[Constant, ...] = ()


class SpecCode(Code):
    """Code that contains `values` of a spec, in order, as literals."""

    __slots__ = ("values",)

    def __new__(cls, text: str, values: tuple[Constant, ...]) -> Self:
        """Declare a text to be code; every value must be escaped in it."""
        code = super().__new__(cls, text)
        code.values = values
        return code


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of a file, and every `Code` with values of a spec in it, in order.

    `offsets` are where each begins, and `origins` the template and the line of its Python that wrote
    it; of compiled templates there are none.
    """

    text: str
    codes: tuple[Code, ...] = field(default=(), repr=False)
    offsets: tuple[int, ...] = field(default=(), repr=False)
    origins: tuple[tuple[str, int], ...] = field(default=(), repr=False, compare=False)


class TemplateError(Exception):
    """An error in a template of a user."""

    def __init__(self, template: str, line: int, reason: str) -> None:
        super().__init__(f"{template}:{line}: {reason}")
        self.template, self.line, self.reason = template, line, reason

    def span(self, templates: Mapping[str, SourceFile]) -> Span | None:
        """Return the line of the error in the user's file; None if the template is built in."""
        return line_span(templates, self.template, self.line)


def line_span(templates: Mapping[str, SourceFile], name: str, line: int) -> Span | None:
    """Return a line of a user's template; None if the template is built in."""
    source = templates.get(name)
    if source is None:
        return None
    line = min(line, len(source.line_starts))
    start = source.line_starts[line - 1]
    return source.span(start, start + len(source.line(line)))


class Templates:
    """The templates of a folder, in which a user's templates replace those of the same name.

    `escape` returns any other value than `Code` as code of the output language, and raises
    TypeError for one that it cannot write. `names` are what every template can use besides its
    view: functions that return a `Code`, which must never contain their arguments unescaped. So are
    `filters`. `compiled` are the functions of the folder's templates, which run if none is replaced.
    """

    def __init__(  # noqa: PLR0913 - what a target declares of its templates
        self,
        folder: Path | None,
        escape: Callable[[object], Code],
        replaced: Mapping[str, SourceFile] | None = None,
        *,
        names: Mapping[str, object] | None = None,
        filters: Mapping[str, Callable[..., Code]] | None = None,
        compiled: Mapping[str, Function] | None = None,
    ) -> None:
        self._folder = folder
        self._replaced = replaced or {}
        self._escape = escape
        self._names, self._filters = names or {}, filters or {}
        self._written: list[Code] = []
        self._origin = ("", 0)
        self._loaded: set[str] = set()
        is_compiled = compiled is not None and not self._replaced
        self._runtime = Runtime(compiled or {}, self._write, self._filters) if is_compiled else None

    def render(self, name: str, view: Mapping[str, object]) -> Rendered:
        """Return the text of a template for a view. Raises TemplateError for a user's error.

        Raises what Jinja2 raises for an error of a built-in template: that is a bug.
        """
        self._written.clear()
        if self._runtime:
            text = "".join(self._runtime.render(name, {**self._names, **view}))
            return Rendered(text, tuple(self._written))
        try:
            return self._joined(self.environment.get_template(name).generate(view))
        except TemplateError:
            raise
        except Exception as error:
            if not self._replaced:
                raise
            raise self._error(error, name) from error

    def _write(self, value: object) -> str:
        """Return a value as code, and remember it if a value of a spec is in it."""
        if not isinstance(value, Code):
            value = self._escape(str(value) if isinstance(value, str) else value)
        if value.values:
            self._written.append(value)
        return value

    def _joined(self, chunks: Iterable[str]) -> Rendered:
        """Return the chunks joined; one that a value was written to is a chunk of its own."""
        parts: list[str] = []
        codes: list[Code] = []
        offsets: list[int] = []
        origins: list[tuple[str, int]] = []
        pending, offset = self._written, 0
        for chunk in chunks:
            if pending:
                code = pending.pop()
                if pending or chunk != code:
                    raise self._lost()
                codes.append(code)
                offsets.append(offset)
                origins.append(self._origin)
            parts.append(chunk)
            offset += len(chunk)
        if pending:
            raise self._lost()
        return Rendered("".join(parts), tuple(codes), tuple(offsets), tuple(origins))

    def _lost(self) -> TemplateError:
        """Return the error of a value that a block keeps."""
        name, line = self._origin
        template = self.environment.get_template(name)
        return TemplateError(name, template.get_corresponding_lineno(line), _LOST)

    def line_of(self, rendered: Rendered, number: int) -> Span | None:
        """Return the line that wrote a value; None if it is one of a built-in template."""
        name, line = rendered.origins[number]
        if name not in self._replaced:
            return None
        template = self.environment.get_template(name)
        return line_span(self._replaced, name, template.get_corresponding_lineno(line))

    def _error(self, error: Exception, name: str) -> TemplateError:
        """Return an error with the innermost line of a template in its traceback."""
        from traceback import walk_tb

        from jinja2 import TemplateNotFound, TemplateSyntaxError

        line = 1
        for frame, number in walk_tb(error.__traceback__):
            if frame.f_code.co_filename in self._loaded:
                name, line = frame.f_code.co_filename, number
        reason = str(error) or type(error).__name__
        if isinstance(error, TemplateSyntaxError):
            name, line = error.name or name, error.lineno
        elif isinstance(error, TemplateNotFound):
            reason = f"no template is named `{error.name}`"
        return TemplateError(name, line, reason)

    @cached_property
    def environment(self) -> Environment:
        """Return Jinja2's environment of the templates, a sandbox if a user's are among them."""
        from jinja2 import Environment, FunctionLoader, StrictUndefined, Undefined, pass_context
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        class Missing(StrictUndefined):
            """A missing member: its message names those that exist."""

            @property
            def _undefined_message(self) -> str:
                name, value = self._undefined_name, self._undefined_obj
                names = _member_names(value)
                if self._undefined_hint or not names or not isinstance(name, str):
                    return super()._undefined_message
                return f"there is no `{name}`; {did_you_mean(name, names)}"

        # With the context as its argument, Jinja2 calls it for constants too when it renders.
        @pass_context
        def finalize(_: Context, value: object) -> str:
            if isinstance(value, Undefined):  # strict, or that of an `if` without `else`: no text
                return str(value)
            frame = sys._getframe(1)  # noqa: SLF001 - the one way to the line of the template
            if not self._written:  # a value that is lost stays the one to report
                self._origin = frame.f_code.co_filename, frame.f_lineno
            return self._write(value)

        def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
            self._loaded.add(name)
            text = template_text(name, self._folder, self._replaced)
            return None if text is None else (text, name, lambda: True)

        kind = ImmutableSandboxedEnvironment if self._replaced else Environment
        environment: Environment = kind(
            loader=FunctionLoader(load),
            finalize=finalize,
            undefined=Missing,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
        )
        # The same view gives the same text: nothing random is left.
        globals_ = {name: environment.globals[name] for name in ("dict", "namespace", "range")}
        environment.globals = {**globals_, **self._names}
        del environment.filters["random"]
        environment.filters.update(self._filters)
        return environment


def _member_names(value: object) -> tuple[str, ...]:
    """Return the names of an object's members, or of a view's fields; none for another value."""
    if isinstance(value, dict):
        return tuple(value)
    is_view = type(value).__module__.endswith(".view")
    return tuple(name for name in dir(value) if is_view and not name.startswith("_"))


def by_name(templates: Iterable[SourceFile]) -> dict[str, SourceFile]:
    """Return templates by the name of their file."""
    return {template.path.rpartition("/")[2]: template for template in templates}


def template_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the templates in a folder, sorted, with those that others include."""
    return tuple(sorted(path.name for path in folder.iterdir() if path.name.endswith(SUFFIX)))


def is_include(name: str) -> bool:
    """Return whether a template is included by others: its name begins with one `_`."""
    return name.startswith("_") and not name.startswith("__")


def template_text(name: str, folder: Path | None, replaced: Mapping[str, SourceFile]) -> str | None:
    """Return the text of a template, the user's if there is one; None for an unknown name."""
    if name in replaced:
        return replaced[name].text
    if folder is not None and name in template_names(folder):
        return (folder / name).read_text(encoding="utf-8")
    return None
