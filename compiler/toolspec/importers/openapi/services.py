"""Services made of an OpenAPI document: groups of operations, and the files of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from toolspec.diagnostics import Checked, Diagnostic, Subject
from toolspec.importers import kinds as import_kinds
from toolspec.importers import legal
from toolspec.importers.draft import Draft
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.defaults import describe_defaults
from toolspec.importers.openapi.large_yaml_text import large_yaml_text
from toolspec.importers.openapi.names import is_version_step, operation_names
from toolspec.importers.openapi.reading import read_openapi
from toolspec.importers.openapi.schemas import Directions, SchemaTable
from toolspec.importers.openapi.security import read_security
from toolspec.importers.openapi.selection import Group, Selection
from toolspec.importers.openapi.servers import Servers
from toolspec.importers.openapi.tools import ToolContext, import_operation, problem_of
from toolspec.importers.openapi.units import (
    RECORD,
    digest,
    units_of_schema,
    units_of_service,
    units_of_tool,
)
from toolspec.importers.tool import SUPPRESSIONS, tool_order
from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.importers.openapi.model import Api, Operation
    from toolspec.importers.openapi.sources import Reader
    from toolspec.importers.tool import ImportedSuppression
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

T = TypeVar("T")

_DEFAULT_VERSION = "0.1.0"
_SERVICE_ORDER = ("name", "version", "title", "description", "settings", "auth")
_LONGEST_SERVICE = 24
_LONGEST_DESCRIPTION = 400
_OTHER = ""
# Words of titles that say nothing about the service.
_EMPTY_WORDS = re.compile(
    r"\b(openapi|swagger|rest|specification|spec|definition)\b( v?\d[\d.]*)?", re.IGNORECASE
)
# The size of a file that readers accept, with room for YAML's indentation.
_LARGEST_FILE = 900_000
_LARGEST_PART = 250_000
PART: Final = re.compile(r"(schemas|tools)-[1-9][0-9]*\.yaml")
"""Names of the parts of a large service."""


@dataclass(frozen=True, slots=True)
class OpenApiOptions:
    """Options of an import: the service's name, what becomes a service, and which operations.

    `files` is a pattern of files that tools may send; without one, they take bytes as base64.
    """

    name: str = ""
    group: Group = Group.ONE
    selection: Selection = field(default_factory=Selection)
    files: str = ""


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """A file of a service: its name, its text, and which tools are in it."""

    name: str
    text: str = field(repr=False)
    first_tool: int = 0


@dataclass(slots=True)
class ServiceDraft:
    """A service before it is written; its repair changes tools and definitions in place.

    `members` are the operations of the document that this import does not select.
    """

    name: str
    service: Draft
    tools: list[Draft]
    definitions: JsonObject = field(repr=False)
    origin: str = ""
    members: frozenset[str] = frozenset()
    suppressions: list[ImportedSuppression] = field(default_factory=list)

    @property
    def file_name(self) -> str:
        """The name of its document."""
        return f"{self.name}.yaml"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was guessed, changed or left out."""
        drafts = (self.service, *self.tools)
        return tuple(diagnostic for draft in drafts for diagnostic in draft.diagnostics)

    def files(self, extension: JsonObject | None = None) -> tuple[ServiceFile, ...]:
        """Return the files of the service: one, or a document that includes parts if it is large.

        `extension` has further members of the document.
        """
        order = tool_order()
        tools: list[JsonValue] = [tool.ordered(order) for tool in self.tools]
        head: JsonObject = {"toolspec": 1, "service": self.service.ordered(_SERVICE_ORDER)}
        foot: JsonObject = {}
        if self.suppressions:
            foot[SUPPRESSIONS] = [suppression.value for suppression in self.suppressions]
        foot |= extension or {}
        comments = self._comments(0, self.tools)
        definitions: JsonObject = {"$defs": self.definitions} if self.definitions else {}
        text = large_yaml_text(
            {**head, **definitions, "tools": tools, **foot}, comments, self._header()
        )
        if len(text) <= _LARGEST_FILE:
            return (ServiceFile(self.file_name, text),)
        own = {path: comment for path, comment in comments.items() if path[0] == "service"}
        files: list[ServiceFile] = []
        for number, names in enumerate(_chunks(list(self.definitions.items())), 1):
            part: JsonObject = {"$defs": dict(names)}
            files.append(
                ServiceFile(f"{self.name}/schemas-{number}.yaml", large_yaml_text(part, {}, []))
            )
        first = 0
        for number, chunk in enumerate(_chunks(list(zip(self.tools, tools, strict=True))), 1):
            of_part = self._comments(0, [draft for draft, _ in chunk])
            part = {"tools": [tool for _, tool in chunk]}
            text = large_yaml_text(part, of_part, [])
            files.append(ServiceFile(f"{self.name}/tools-{number}.yaml", text, first))
            first += len(chunk)
        # A pattern would match parts of an earlier import too.
        document: JsonObject = {**head, "include": [file.name for file in files], **foot}
        text = large_yaml_text(document, own, self._header())
        return (ServiceFile(self.file_name, text), *files)

    def record(self) -> JsonObject:
        """Return the member with the digests of what is imported, for an update."""
        order = tool_order()
        record: JsonObject = {
            "service": digest(units_of_service(self.service.ordered(_SERVICE_ORDER)))
        }
        for tool in self.tools:
            source = tool.fields["source"]
            assert isinstance(source, dict)
            record[str(source["member"])] = digest(units_of_tool(tool.ordered(order)))
        for name, schema in self.definitions.items():
            record[f"#/$defs/{name}"] = digest(units_of_schema(schema))
        return {RECORD: record}

    def _comments(self, first: int, tools: Sequence[Draft]) -> dict[Path, str]:
        comments: dict[Path, str] = {
            ("service", key): text for key, text in self.service.comments.items()
        }
        for index, tool in enumerate(tools, first):
            for key, text in tool.comments.items():
                comments["tools", index, key] = text
        return comments

    def _header(self) -> list[str]:
        reported = [diagnostic.kind for diagnostic in self.diagnostics]
        review = [
            f"  {reported.count(kind)} x {text}"
            for kind, text in _REVIEW.items()
            if kind in reported
        ]
        tools = "1 operation" if len(self.tools) == 1 else f"{len(self.tools)} operations"
        lines = [f"Imported from {self.origin}: {tools}."]
        return [*lines, "Guessed or changed; please review:", *review] if review else lines


_REVIEW = {
    kinds.EFFECT_GUESSED: "the effect of a POST; search for `review`",
    kinds.SHORT_NAME: "a short name for an operation; search for `review`",
    import_kinds.NO_DESCRIPTION: "a placeholder in place of a description",
    kinds.SCHEME_REVIEW: "a security scheme that needs a decision",
    kinds.SERVER_UNUSABLE: "a setting of the server without a default",
    kinds.BODY_REQUIRED: "a body taken to be required",
    kinds.VALUE_DROPPED: "a value left out of a schema",
    import_kinds.SUPPRESSED: "a rule suppressed, with its reason",
}


def import_openapi(
    document: Document, read: Reader, options: OpenApiOptions
) -> Checked[tuple[ServiceDraft, ...]]:
    """Return the services of a document, with diagnostics for guesses and losses.

    A document that is not OpenAPI 3 and one without operations are errors, as are operations that
    cannot be tools. `read` returns the other files that references name.
    """
    if options.name and not legal.is_service_name(options.name):
        suggested = legal.service_name(options.name) or "service"
        problem = import_kinds.BAD_SERVICE_NAME.at(None, name=options.name, legal=suggested)
        return Checked((), (problem,))
    checked = read_openapi(document, read)
    diagnostics = list(checked.diagnostics)
    api = checked.value
    if api is None:
        return Checked((), tuple(diagnostics))
    operations: list[Operation] = []
    for operation in options.selection.selected(api):
        problem_text = problem_of(operation)
        if problem_text:
            at = operation.part.location
            diagnostics.append(
                import_kinds.LEFT_OUT.at(
                    at.key_span,
                    subject=Subject(pointer=at.pointer),
                    tool=operation.member,
                    problem=problem_text,
                )
            )
        else:
            operations.append(operation)
    if not operations:
        diagnostics.append(kinds.NO_OPERATIONS.at(document.location("paths").key_span))
        return Checked((), (*diagnostics, *api.sources.diagnostics))
    directions = Directions(api)
    services = tuple(
        _service(directions, name, key, group, options)
        for name, key, group in _groups(api, operations, options)
    )
    selected = {operation.member for operation in operations}
    others = frozenset(one.member for one in api.operations) - selected
    for service in services:
        service.members = others
    return Checked(services, (*diagnostics, *api.sources.diagnostics))


def _groups(
    api: Api, operations: Sequence[Operation], options: OpenApiOptions
) -> Iterator[tuple[str, str, list[Operation]]]:
    """Yield the name, the key and the operations of each service."""
    groups: dict[str, list[Operation]] = {}
    for operation in operations:
        groups.setdefault(_group(operation, options.group), []).append(operation)
    stem = api.root.location.document.source.path.rpartition("/")[2].partition(".")[0]
    title = _EMPTY_WORDS.sub(" ", api.info.text("title"))
    base = options.name or _short(legal.service_name(title), _LONGEST_SERVICE)
    base = base or _short(legal.service_name(stem), _LONGEST_SERVICE) or "service"
    used: set[str] = set()
    for key, group in groups.items():
        suffix = legal.service_name(key) if key else ""
        wanted = base if not suffix or suffix == base else f"{base}-{suffix}"
        name, number = wanted, 1
        while name in used:
            number += 1
            name = f"{wanted}-{number}"
        used.add(name)
        yield name, key, group


def _group(operation: Operation, group: Group) -> str:
    if group is Group.TAG:
        return operation.tags[0] if operation.tags else _OTHER
    if group is Group.PATH:
        words = [word for word in operation.path.split("/") if word and "{" not in word]
        return next((word for word in words if not is_version_step(word)), _OTHER)
    return _OTHER


def _short(name: str, room: int) -> str:
    """Return a name without its last words, so that it leaves room for names of tools."""
    words = name.split("-")
    while len("-".join(words)) > room and len(words) > 1:
        words.pop()
    return "-".join(words)


def _service(
    directions: Directions,
    name: str,
    key: str,
    operations: Sequence[Operation],
    options: OpenApiOptions,
) -> ServiceDraft:
    api = directions.api
    service = _head(api, name, key)
    security = read_security(api, operations, service)
    servers = Servers(api)
    table = SchemaTable(directions)
    names = operation_names(operations, name)
    context = ToolContext(name, api, table, security, servers, options.selection, options.files)
    tools = [
        import_operation(operation, named, context)
        for operation, named in zip(operations, names, strict=True)
    ]
    servers.set_settings(service)
    definitions = table.definitions()
    for schema in definitions.values():
        describe_defaults(schema)
    service.diagnostics += table.diagnostics
    file = api.root.location.document.source.path.rpartition("/")[2]
    origin = f"{file}, OpenAPI {api.root.fields['openapi']}"
    return ServiceDraft(name, service, tools, definitions, origin)


def _head(api: Api, name: str, key: str) -> Draft:
    """Return the draft of a service without settings and credentials."""
    draft = Draft(name, api.root.location, Subject(name))
    draft.put("name", name)
    title = api.info.text("title")
    version = api.info.fields.get("version")
    if isinstance(version, str) and legal.is_version(version):
        draft.put("version", version)
    else:
        problem = f"`{version}` is not a semantic version" if version else "the document has none"
        draft.put("version", _DEFAULT_VERSION, problem)
        draft.report(import_kinds.VERSION_GENERATED, "info", "version", problem=problem)
    if title:
        draft.put("title", f"{title}: {key}" if key else title)
    description = _tag_description(api, key) or api.info.text("summary")
    whole = api.info.text("description")
    if not description and whole:
        description = (
            whole if len(whole) <= _LONGEST_DESCRIPTION else whole.partition("\n\n")[0].strip()
        )
        if description != whole:
            reason = "a service is described in a few sentences; the first paragraph is kept"
            draft.diagnostics.append(
                api.info.lost("the rest of `description`", title or name, reason, "description")
            )
    if description:
        draft.put("description", description)
    else:
        draft.put("description", f"Operations of {title or name}.", "generated")
        draft.report(import_kinds.SERVICE_DESCRIPTION_GENERATED)
    return draft


def _tag_description(api: Api, key: str) -> str:
    tags = api.root.fields.get("tags")
    for tag in tags if key and isinstance(tags, list) else ():
        if isinstance(tag, dict) and tag.get("name") == key:
            text = tag.get("description")
            return text.strip() if isinstance(text, str) else ""
    return ""


def _chunks(items: list[tuple[T, JsonValue]]) -> Iterator[list[tuple[T, JsonValue]]]:
    """Yield consecutive items of which each group fits in a file."""
    chunk: list[tuple[T, JsonValue]] = []
    size = 0
    for item in items:
        length = len(canonical_json(item[1]))
        if chunk and size + length > _LARGEST_PART:
            yield chunk
            chunk, size = [], 0
        chunk.append(item)
        size += length
    if chunk:
        yield chunk
