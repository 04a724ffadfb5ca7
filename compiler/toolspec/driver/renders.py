"""Files from the user's templates: `[[render]]` of the configuration, and the templates' texts."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import did_you_mean
from toolspec.driver import kinds
from toolspec.driver.incremental.fingerprints import fingerprint_to_read
from toolspec.shared.records import dataclass, field, replace
from toolspec.syntax.limits import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.toml_locations import Table
    from toolspec.source import Span
    from toolspec.syntax.nodes import JsonObject

TARGET = "render"

_EXAMPLES = {
    "template": 'template = "templates/wiki.j2"',
    "for": 'for = "service"',
    "to": 'to = "wiki/{service}.wiki"',
}
_PLACEHOLDERS = {"project": (), "service": ("service",), "tool": ("service", "tool")}
_INCLUDE = re.compile(r"\{%[-+]?\s*(?:include|extends|import|from)\b(.*?)%\}", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Render:
    """A file, or one for each service or tool, from a template.

    `to` is the path below the output folder with placeholders. `text` is the template's, once it is
    read, and `included` are the texts of files that it may include, by their path below its folder.
    The spans are those of `template` and `to`.
    """

    template: str
    subject: str
    to: str
    text: str = field(default="", repr=True)
    included: Mapping[str, str] = field(default_factory=dict)
    template_span: Span | None = field(default=None, compare=False, repr=False)
    to_span: Span | None = field(default=None, compare=False, repr=False)

    def options(self) -> JsonObject:
        """Return the entry as the target reads it."""
        return {
            "template": self.template,
            "for": self.subject,
            "to": self.to,
            "text": self.text,
            "included": dict(self.included),
        }

    def makes(self, path: str) -> bool:
        """Return whether a path can be one of this entry's files."""
        parts = map(re.escape, _PLACEHOLDER.split(self.to)[::2])
        return re.fullmatch(".*".join(parts), path) is not None


def bind_renders(tables: Iterable[Table]) -> tuple[Render, ...]:
    """Return the entries of the configuration; report wrong ones, which are left out."""
    return tuple(render for table in tables if (render := _bind(table)))


def _bind(table: Table) -> Render | None:
    reported = len(table.diagnostics)
    table.check_keys(_EXAMPLES)
    is_spelt = len(table.diagnostics) == reported  # else a key is missing since it is misspelt
    template, subject, to = (table.text(key, example) for key, example in _EXAMPLES.items())
    for key, example in _EXAMPLES.items():
        if is_spelt and table.value.get(key, "") == "":
            expected = "a text that is not empty" if key in table.value else "set"
            table.report_type(key, expected, example)
    if len(table.diagnostics) == reported and subject not in _PLACEHOLDERS:
        hint = did_you_mean(subject, _PLACEHOLDERS)
        table.add(kinds.RENDER_FOR.at(table.span("for"), suggestion=hint))
    if len(table.diagnostics) == reported and (problem := _path_problem(to, subject)):
        table.add(
            kinds.RENDER_TO.at(table.span("to"), path=to, problem=problem[0], suggestion=problem[1])
        )
    if len(table.diagnostics) > reported:
        return None
    return Render(
        template, subject, to, template_span=table.span("template"), to_span=table.span("to")
    )


def _path_problem(to: str, subject: str) -> tuple[str, str] | None:
    """Return the problem of a path, and what to do; None for a valid path."""
    from toolspec.driver.output.paths import is_safe

    placeholders = _PLACEHOLDERS[subject]
    for name in _PLACEHOLDER.findall(to):
        if name not in placeholders:
            return f"has the unknown placeholder `{{{name}}}`", (
                did_you_mean(name, placeholders)
                if placeholders
                else "remove it: there is one file for all"
            )
    plain = _PLACEHOLDER.sub("x", to)
    if "{" in plain or "}" in plain:
        return "has an unmatched brace", "write placeholders as `{service}`"
    if not is_safe(plain):
        leaves = plain.startswith("/") or ".." in plain.split("/")
        problem = "leaves the output folder" if leaves else "is no path of a file"
        return problem, "name a file below the output folder, with one `/` between folders"
    if placeholders and f"{{{placeholders[-1]}}}" not in to:
        return f"is the same for every {subject}", f"add `{{{placeholders[-1]}}}` to the path"
    return None


def read_templates(
    renders: Iterable[Render],
    root: Path,
    diagnostics: list[Diagnostic],
    fingerprints: dict[str, str],
) -> Iterator[Render]:
    """Yield the entries with the texts of their templates and of files that these include.

    An entry with a file that cannot be read is left out.

    Adds to `diagnostics` files that cannot be read, and to `fingerprints` the fingerprints of all files.
    """
    for render in renders:
        read, reported = _Reader(render, root, diagnostics, fingerprints), len(diagnostics)
        text = read.text(render.template, root, "the project")
        included = {} if text is None else read.included(text)
        if text is not None and len(diagnostics) == reported:
            yield replace(render, text=text, included=included)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the template of an entry and what it includes."""

    render: Render
    root: Path
    diagnostics: list[Diagnostic]
    fingerprints: dict[str, str]

    def text(self, name: str, inside: Path, called: str) -> str | None:
        """Return the text of a file that has to lie in a folder; report one that cannot be read."""
        path = self.root / name
        self.fingerprints[str(path)] = fingerprint_to_read(str(path))
        try:
            return read_inside(inside, path, called)
        except (OSError, ValueError) as error:
            problem = (
                f"cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
            )
            span = self.render.template_span
            self.diagnostics.append(kinds.RENDER_TEMPLATE.at(span, path=name, problem=problem))
            return None

    def included(self, text: str) -> dict[str, str]:
        """Return the texts of files that a template, or a file of these, may include.

        Which files are there is not known before a template runs, so a missing one is reported
        then.
        """
        folder = os.path.dirname(self.render.template)  # noqa: PTH120 - a text, not a Path
        inside = Path(os.path.realpath(self.root / folder))
        texts: dict[str, str] = {}
        pending = list(_included_names(text))
        for name in pending:  # grows during iteration
            path = os.path.join(folder, name)  # noqa: PTH118 - a text, not a Path
            if name in texts or not _is_below(name):
                continue
            self.fingerprints[str(self.root / path)] = fingerprint_to_read(str(self.root / path))
            if not os.path.lexists(self.root / path):
                continue
            part = self.text(path, inside, f"the folder of `{self.render.template}`")
            if part is not None:
                texts[name] = part
                pending += _included_names(part)
        return texts


def _included_names(text: str) -> Iterator[str]:
    """Yield every text in a tag that names another template."""
    for tag in _INCLUDE.findall(text):
        for quoted in _QUOTED.findall(tag):
            yield quoted[1:-1]


def _is_below(name: str) -> bool:
    parts = name.split("/")
    return not (set(parts) & {"", ".", ".."}) and "\\" not in name and "\0" not in name


def read_inside(root: Path, name: str | Path, called: str = "the project") -> str:
    """Return the text of a file below a folder. Raises OSError, and ValueError for an unsuitable file."""
    path = os.path.realpath(root / name)
    if os.path.commonpath((path, root)) != str(root):
        problem = f"is outside {called}"
        raise ValueError(problem)
    return read_text(path)


def read_text(path: str | Path) -> str:
    """Return the text of a file. Raises OSError, and ValueError for an unsuitable file."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - a text, not a Path
        problem = "is not a regular file"
        raise ValueError(problem)
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        problem = "is too large"
        raise ValueError(problem)
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        problem = "is not UTF-8"
        raise ValueError(problem) from error
