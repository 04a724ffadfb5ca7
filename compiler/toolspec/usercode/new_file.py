"""New handler file of a service: one class with a stub for each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import is_name
from toolspec.sinks.python import docstring
from toolspec.usercode.import_edits import RUNTIME, TYPES, import_lines, section
from toolspec.usercode.stub_text import REFUSAL, stub_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.source import SourceFile
    from toolspec.usercode.required_methods import RequiredMethods


def new_file(
    required: RequiredMethods, package: str, templates: tuple[SourceFile, ...] = ()
) -> str:
    """Return the text of a module, in the default format of `ruff format`.

    `package` is the import path of generated code; `templates` are the user's in place of those of
    the Python target. Raises StubError.
    """
    module = f"{package}.{required.service.names.module}"
    base, name = f"{required.stem}Handlers", required.service.name
    sources = dict.fromkeys(
        pair for method in required.methods for pair in required.sources(method)
    )
    checked = [(module if home == TYPES else home, source, source) for home, source in sources]
    ran = [("typing", "TYPE_CHECKING", "TYPE_CHECKING"), (RUNTIME, REFUSAL, REFUSAL)]
    methods = required.methods
    doc = f"Implements the tools of {name}."
    return "\n".join(
        (
            docstring(f"Handlers for the {name} service.", ""),
            "",
            "from __future__ import annotations",
            "",
            *_sections([*(ran if methods else []), (module, base, base)]),
            *(["if TYPE_CHECKING:", *_indented(_sections(checked))] if methods else []),
            "",
            stub_class(_class_name(required), base, doc, methods, templates),
        )
    )


def _class_name(required: RequiredMethods) -> str:
    """Return the stem of the service, or `<stem>Service` if a type or Python has that name."""
    used = {name for method in required.methods for _, name in required.sources(method)}
    is_free = is_name(required.stem) and required.stem not in used
    return required.stem if is_free else f"{required.stem}Service"


def _sections(wanted: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the lines of imports, with an empty line after each block."""
    wanted = list(wanted)
    for number in (0, 1, 2):
        lines = list(import_lines(item for item in wanted if section(item[0]) == number))
        if lines:
            yield from (*lines, "")


def _indented(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for line in text.split("\n"):
            yield f"    {line}" if line else ""
