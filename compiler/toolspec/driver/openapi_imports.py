"""Imports OpenAPI documents, and applications that make them, into service documents."""

from __future__ import annotations

import os
import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, Severity
from toolspec.driver import kinds, output_kinds
from toolspec.driver.build import Request, locate
from toolspec.driver.formatting import UnprintableError
from toolspec.driver.import_check import ImportCheck
from toolspec.driver.imports import MAX_ROUNDS, ImportedDocument, in_form, suppression_of
from toolspec.driver.lint.suppressions import is_suppressible
from toolspec.driver.openapi_updates import Update
from toolspec.driver.rewriting import Rewrite, refusal
from toolspec.driver.workspace import SUFFIXES
from toolspec.importers.openapi import kinds as openapi_kinds
from toolspec.importers.openapi.repair import Refusal, repair
from toolspec.importers.openapi.services import PART, import_openapi
from toolspec.providers.tool_sizes import shown
from toolspec.shared.records import replace
from toolspec.source import SourceFile
from toolspec.syntax import parse
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.importers.openapi.services import OpenApiOptions, ServiceDraft, ServiceFile
    from toolspec.syntax.nodes import Document, Location

MAX_BYTES = 16 << 20
"""The largest file of OpenAPI that is read."""
_APPLICATION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
MERGED = ".merged"
"""Added to the name of a file for a merge of it that does not compile."""
_MANY = 40
# A wrong value below one of these is left out: it explains a schema, and suppressing the error would
# keep it wrong.
_DATA = frozenset({"examples", "default"})


class Writing(Enum):
    """Treatment of existing documents: an error, replaced, or merged."""

    CREATE = "create"
    REPLACE = "replace"
    UPDATE = "update"


def import_openapi_files(
    sources: Iterable[str],
    to: Path,
    options: OpenApiOptions,
    writing: Writing = Writing.CREATE,
    *,
    is_dry_run: bool = False,
) -> Checked[tuple[ImportedDocument, ...]]:
    """Write the services of each file or `module:app`.

    Every document compiles under the configuration of the destination folder. A dry run writes
    nothing.
    """
    diagnostics: list[Diagnostic] = []
    documents: list[ImportedDocument] = []
    writer = _Writer(to, writing, is_dry_run=is_dry_run)
    for source in sources:
        read = _read(source)
        diagnostics += read.diagnostics
        if read.value is None:
            continue
        imported = import_openapi(*read.value, options)
        diagnostics += imported.diagnostics
        for draft in imported.value:
            compiled = compilable(draft, writer.check)
            diagnostics += compiled.diagnostics
            texts = {file.name: in_form(file.name, file.text) for file in compiled.value}
            problems = writer.write(draft, texts) if texts else ()
            diagnostics += problems
            if texts and all(problem.kind is openapi_kinds.CONFLICT for problem in problems):
                documents.append(ImportedDocument(str(to / draft.file_name), len(draft.tools)))
    return Checked(tuple(documents), tuple(diagnostics))


class _Writer:
    """Writes or merges the files of services into a folder, each name once."""

    def __init__(self, folder: Path, writing: Writing, *, is_dry_run: bool) -> None:
        self.check = ImportCheck(folder)
        self._folder = folder
        self._writing = writing
        self._is_dry_run = is_dry_run
        self._names: set[str] = set()

    def write(self, draft: ServiceDraft, texts: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
        """Write the files of a service; return conflicts, or why nothing was written."""
        names = [f"{draft.name}{suffix}" for suffix in SUFFIXES]
        existing = [name for name in names if os.path.lexists(self._folder / name)]
        is_update = self._writing is Writing.UPDATE and bool(existing)
        keeps = self._writing is not Writing.REPLACE and not is_update
        taken = [
            name
            for name in (*texts, *(existing if keeps else ()))
            if name in self._names or (keeps and os.path.lexists(self._folder / name))
        ]
        if taken:
            paths = (str(self._folder / name) for name in dict.fromkeys(taken))
            return tuple(kinds.IMPORT_EXISTS.at(None, path=path) for path in paths)
        self._names |= texts.keys()
        if is_update:
            return self._update(draft, existing[0], texts)
        if self._is_dry_run:
            return ()
        problems = _write(self._folder, draft.name, texts)
        for name in existing:
            if not problems and name not in texts:  # the same service in another form
                (self._folder / name).unlink(missing_ok=True)
        return problems

    def _update(
        self, draft: ServiceDraft, existing: str, texts: Mapping[str, bytes]
    ) -> tuple[Diagnostic, ...]:
        """Merge a service into its documents; return the conflicts, or why nothing was written.

        A merge that does not compile is written beside the documents, which stay as they are.
        """
        read = self.check.documents(existing)
        if not read.value:
            return read.diagnostics
        upstream = {name: text.decode("utf-8") for name, text in texts.items()}
        try:
            update = Update(draft, upstream, read.value)
        except UnprintableError as error:
            reason = str(error)
            return (kinds.UNREADABLE.at(None, path=existing, reason=reason),)
        after = {name: in_form(name, text) for name, text in update.texts().items()}
        errors = self.check.run({name: text.decode("utf-8") for name, text in after.items()}).errors
        root = self.check.project.root
        if errors:
            unmerged = [
                (f"{name}{MERGED}", text)
                for name, text in after.items()
                if text != (root / name).read_bytes()
            ]
            problems = () if self._is_dry_run else _write_files(root, unmerged)
            explained = (_beside(update.explained(error)) for error in errors)
            path = self.check.name_of(existing)
            summary = kinds.UNMERGED.at(None, path=path, merged=f"{path}{MERGED}")
            return (*update.diagnostics, *explained, summary, *problems)
        rewrites = [
            Rewrite(root / name, name, (root / name).read_bytes(), after[name]) for name in after
        ]
        refused = [refusal(one.path, one.name, root.resolve()) for one in rewrites]
        if not self._is_dry_run and not any(refused):
            refused = [one.write() for one in rewrites if one.before != one.after]
            for one in rewrites:
                one.path.with_name(one.path.name + MERGED).unlink(missing_ok=True)
        return (*update.diagnostics, *(problem for problem in refused if problem))


def compilable(draft: ServiceDraft, check: ImportCheck) -> Checked[tuple[ServiceFile, ...]]:
    """Return the files of a service that compile, with what was changed for it; none with an error."""
    errors: tuple[Diagnostic, ...] = ()
    for _ in range(MAX_ROUNDS):
        files = draft.files()
        result = check.run({check.name_of(file.name): file.text for file in files})
        errors = result.errors
        if not errors:
            held = result.analysis.summary
            if held and len(draft.tools) > _MANY:
                draft.service.report(
                    openapi_kinds.MANY_TOOLS,
                    "paths",
                    count=len(draft.tools),
                    tokens=shown(held.value().sizes),
                )
            return Checked(draft.files(draft.record()), draft.diagnostics)
        by_name = {check.name_of(file.name): file for file in files}
        if not repair(draft, _refusals(errors, by_name)) or not draft.tools:
            break
    return Checked((), (*draft.diagnostics, *errors))


def _refusals(errors: Iterable[Diagnostic], files: Mapping[str, ServiceFile]) -> Iterator[Refusal]:
    for error in errors:
        path: list[str | int] = list(parse_pointer(error.subject.pointer))
        file = files.get(error.span.source.path) if error.span else None
        if path[:1] == ["tools"] and len(path) > 1:
            path[1] = int(path[1]) + (file.first_tool if file else 0)
        is_kept = is_suppressible(error) and not _DATA.intersection(map(str, path))
        suppression = suppression_of(error) if is_kept else None
        yield Refusal(tuple(path), error.message, suppression)


def _write(folder: Path, service: str, texts: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
    """Write files, a document after its parts; return why one could not be written.

    Parts of an earlier import are removed: no document would include them.
    """
    for path in sorted((folder / service).glob("*.yaml")):
        if PART.fullmatch(path.name) and f"{service}/{path.name}" not in texts:
            path.unlink(missing_ok=True)
    return _write_files(folder, reversed(tuple(texts.items())))


def _write_files(folder: Path, texts: Iterable[tuple[str, bytes]]) -> tuple[Diagnostic, ...]:
    """Write files in their order; return why one could not be written."""
    for name, text in texts:
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # a link is replaced, not written through
            with path.open("xb") as stream:
                stream.write(text)
        except OSError as error:
            reason = error.strerror or str(error)
            return (output_kinds.UNWRITABLE.at(None, path=str(path), reason=reason),)
    return ()


def _beside(error: Diagnostic) -> Diagnostic:
    """Return an error about a merged text with the name of the file that has it."""
    if error.span is None:
        return error
    source = SourceFile(f"{error.span.source.path}{MERGED}", error.span.source.text)
    return replace(error, span=replace(error.span, source=source))


class _Files:
    """Files of the project, or of the folder of a document outside of it, read once."""

    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.realpath(root))

    def __call__(self, name: str, referrer: Location) -> Checked[Document | None]:
        real = Path(os.path.realpath(self._root / name))
        if not real.is_relative_to(self._root):
            at = f"`{self._root.name}/`"
            return Checked(None, (kinds.OUTSIDE.at(referrer.span, path=name, root=at),))
        if not real.is_file():
            return Checked(None)
        return self.read(name)

    def read(self, name: str) -> Checked[Document | None]:
        """Return a document below the root; what does not hinder the import is a warning."""
        try:
            with (self._root / name).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except OSError as error:
            reason = error.strerror or str(error)
            return Checked(None, (kinds.UNREADABLE.at(None, path=name, reason=reason),))
        return _parsed(name, data)


def _parsed(name: str, data: bytes) -> Checked[Document | None]:
    parsed = parse(name, data, limit=MAX_BYTES)
    diagnostics = openapi_kinds.accepted(parsed.diagnostics)
    if parsed.value is not None:
        diagnostics = tuple(replace(one, configured=Severity.WARNING) for one in diagnostics)
    return Checked(parsed.value, diagnostics)


def _read(source: str) -> Checked[tuple[Document, _Files] | None]:
    """Return the document of a file or an application, and the reader of files it refers to."""
    path = Path(source)
    if _APPLICATION.fullmatch(source) and not path.exists():
        files = _Files(Path.cwd())
        read = application_document(source)
    else:
        folder = path.absolute().parent.resolve()
        root = locate(Request(folder=folder)).value.root
        files = _Files(root)
        read = files.read(Path(os.path.relpath(folder / path.name, root)).as_posix())
    document = read.value
    return Checked(None if document is None else (document, files), read.diagnostics)


# Standard output belongs to the document: whatever the module prints goes to standard error.
_PROGRAM = """
import importlib, json, os, sys
out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.path.insert(0, os.getcwd())
module, _, name = sys.argv[1].partition(":")
app = importlib.import_module(module)
for step in name.split("."):
    app = getattr(app, step)
json.dump(app.openapi(), out, allow_nan=False)
out.close()
"""


def application_document(target: str) -> Checked[Document | None]:
    """Return the document of `MODULE:APP`: runs the module in a process of its own."""
    import subprocess
    import sys

    done = subprocess.run(  # noqa: S603 - the user names the module to run
        [sys.executable, "-c", _PROGRAM, target], capture_output=True, check=False
    )
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [
            "it ended without a word"
        ]
        problem = openapi_kinds.APP_FAILED.at(None, target=target, reason=lines[-1])
        return Checked(None, (problem,))
    return _parsed(f"{target.partition(':')[0]}.json", done.stdout)
