"""Importer of tool lists: from a list in any form to the text of a service document."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Subject
from toolspec.frontend.normalise.arguments import INSTANCE
from toolspec.frontend.shape.contract import fits_field
from toolspec.importers import kinds, legal
from toolspec.importers.draft import Draft
from toolspec.importers.dump import read_dump
from toolspec.importers.tool import SUPPRESSIONS, Changes, Naming, import_tool, tool_order
from toolspec.importers.yaml_text import yaml_text
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.importers.dump import Dump, ListedTool
    from toolspec.importers.tool import ImportedSuppression
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue
    from toolspec.syntax.pointer import Path


_SERVICE_ORDER = (
    "name",
    "names",
    "version",
    "title",
    "description",
    "instructions",
    "icons",
    "settings",
    "instances",
)
# Members with their own diagnostics, whatever their value.
_REPORTED = frozenset({"name", "version"})
_DEFAULT_VERSION = "0.1.0"


@dataclass(frozen=True, slots=True)
class ImportedService:
    """An imported service document: its file name, text and value.

    `origins` has, for each tool of the document, its index in the list.
    """

    file_name: str
    text: str = field(repr=False)
    value: JsonObject = field(repr=False)
    origins: tuple[int, ...] = ()

    @property
    def tools(self) -> int:
        """The number of imported tools."""
        return len(self.origins)


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Choices of an import: those of the caller, and changes that make its document compile.

    `changes` and `left_out` (with the reason) are by the index of a tool in the list; `service` is
    a shorter name that replaces the derived one. With `keeps_names` the public names are those of
    the list.
    """

    keeps_names: bool = False
    service: str = ""
    suppressions: tuple[ImportedSuppression, ...] = ()
    changes: Mapping[int, Changes] = field(default_factory=dict)
    left_out: Mapping[int, str] = field(default_factory=dict)


def import_tools(
    document: Document, service_name: str | None = None, plan: ImportPlan | None = None
) -> Checked[ImportedService | None]:
    """Return the service document of a `tools/list` dump, as `import_dump` does."""
    read = read_dump(document)
    if read.value is None:
        return Checked(None, read.diagnostics)
    imported = import_dump(read.value, service_name, plan or ImportPlan())
    return Checked(imported.value, (*read.diagnostics, *imported.diagnostics))


def import_dump(
    dump: Dump, service_name: str | None, plan: ImportPlan
) -> Checked[ImportedService | None]:
    """Return the service document of a list of tools, with diagnostics for guesses and losses.

    The service is named by the caller, else after the server, else after the list's origin. An
    illegal name and a tool that is left out are errors.
    """
    if service_name is not None and not legal.is_service_name(service_name):
        suggested = legal.service_name(service_name) or "service"
        refusal = kinds.BAD_SERVICE_NAME.at(None, name=service_name, legal=suggested)
        return Checked(None, (refusal,))
    diagnostics: list[Diagnostic] = []
    service = _service(dump, service_name, plan)
    name = str(service.fields["name"])
    origins = tuple(index for index in range(len(dump.tools)) if index not in plan.left_out)
    listed = [dump.tools[index] for index in origins]
    instances = read_instances(tool.members for tool in listed)
    if instances:
        listed = [replace(tool, members=without_instance(tool.members)) for tool in listed]
        service.put("instances", instances)
        service.report(kinds.INSTANCES_TAKEN_OVER, names=", ".join(f"`{n}`" for n in instances))
    before = [tool.name for tool in listed]
    if _have_versions(listed):
        before = list(dict.fromkeys(before))
    names = legal.tool_names(before, name)
    is_as_written = plan.keeps_names or legal.is_simpler_as_written(before, names, name)
    if is_as_written:
        names = legal.names_as_written(before)
        service.put("names", "as-written")
    if len(names) != len(listed):
        of_origin = dict(zip(before, names, strict=True))
        names = [of_origin[tool.name] for tool in listed]
    naming = Naming(name, frozenset(names), is_as_written, dump.origin)
    tools = [
        import_tool(tool, tool_name, naming, plan.changes.get(index, Changes()))
        for index, tool, tool_name in zip(origins, listed, names, strict=True)
    ]
    order = tool_order()
    value: JsonObject = {
        "toolspec": 1,
        "service": service.ordered(_SERVICE_ORDER),
        **({"$defs": dump.definitions} if dump.definitions else {}),
        "tools": [tool.ordered(order) for tool in tools],
    }
    if plan.suppressions:
        value[SUPPRESSIONS] = [suppression.value for suppression in plan.suppressions]
    comments = _comments(service, tools)
    for index, reason in plan.left_out.items():
        location = dump.tools[index].location
        problem = kinds.LEFT_OUT.at(
            (location / "name").span,
            subject=Subject(name, "", location.pointer),
            tool=dump.tools[index].name,
            problem=reason,
        )
        diagnostics.append(problem)
    text = yaml_text(value, comments, _header(dump, service, tools))
    diagnostics += (diagnostic for draft in (service, *tools) for diagnostic in draft.diagnostics)
    return Checked(ImportedService(f"{name}.yaml", text, value, origins), tuple(diagnostics))


def _have_versions(tools: Sequence[ListedTool]) -> bool:
    """Return whether tools of the same name all have different versions."""
    versions: set[tuple[str, str]] = set()
    times: Counter[str] = Counter()
    for tool in tools:
        times[tool.name] += 1
        versions.add((tool.name, str(tool.members.get("version"))))
    repeated = [tool for tool in tools if times[tool.name] > 1]
    return len(versions) == times.total() and all("version" in tool.members for tool in repeated)


def _service(dump: Dump, name: str | None, plan: ImportPlan) -> Draft:
    origin, chosen = _names(dump, name)
    chosen = plan.service or chosen
    draft = Draft(origin, dump.location, Subject(chosen))
    info = dump.info
    draft.put("name", chosen)
    if chosen != origin and name is None:
        draft.comments["name"] = f"after `{origin}`"
        draft.report(kinds.SERVICE_RENAMED, "name", name=chosen, origin=origin)
    title = info.get("title") or (origin if origin != chosen else None)
    if isinstance(title, str) and title.strip():
        draft.put("title", title)
    _version(draft, info)
    description = info.get("description")
    if isinstance(description, str) and description.strip():
        draft.put("description", description)
    else:
        draft.put("description", f"Tools of {draft.fields.get('title', origin)}.", "generated")
        draft.report(kinds.SERVICE_DESCRIPTION_GENERATED)
    if dump.instructions.strip():
        draft.put("instructions", dump.instructions)
    if fits_field("service", "icons", info.get("icons")):
        draft.put("icons", info["icons"])
    if dump.settings:
        draft.put("settings", dump.settings, "`configSchema` in the list")
    for suppression in plan.suppressions:
        draft.report(
            kinds.SUPPRESSED,
            code=suppression.rule,
            what="the document",
            problem=suppression.problem,
        )
    for key, member in info.items():
        is_used = key in _REPORTED or draft.fields.get(key) == member
        if member and not is_used:
            draft.keep_aside(key, value=member, problem="the language has no such field")
    return draft


def _names(dump: Dump, name: str | None) -> tuple[str, str]:
    """Return the original name (of the server, the list or its origin) and the service's name."""
    candidates = (dump.info.get("name"), dump.server, name or dump.origin.name)
    for origin in candidates:
        legal_name = legal.service_name(origin) if isinstance(origin, str) else ""
        if isinstance(origin, str) and legal_name:
            return origin, name or legal_name
    return "service", name or "service"


def _version(draft: Draft, info: JsonObject) -> None:
    version = info.get("version")
    if isinstance(version, str) and legal.is_version(version):
        draft.put("version", version)
        return
    problem = f"`{version}` is not a semantic version" if version else "the server has none"
    draft.put("version", _DEFAULT_VERSION, problem)
    draft.report(kinds.VERSION_GENERATED, "version", problem=problem)


def _comments(service: Draft, tools: Iterable[Draft]) -> dict[Path, str]:
    comments: dict[Path, str] = {("service", key): text for key, text in service.comments.items()}
    for index, tool in enumerate(tools):
        for key, text in tool.comments.items():
            comments["tools", index, key] = text
    return comments


def _header(dump: Dump, service: Draft, tools: list[Draft]) -> list[str]:
    """Return the header comment of the text: the origin, and the changes to review."""
    server = " ".join(str(dump.info[key]) for key in ("name", "version") if dump.info.get(key))
    of = f" of {server}" if server else ""
    protocol = f", MCP {dump.protocol}" if dump.protocol else ""
    lines = [f"Imported from {dump.origin.location}: {_tools(len(tools))}{of}{protocol}."]
    reported_kinds = [
        diagnostic.kind for part in (service, *tools) for diagnostic in part.diagnostics
    ]
    review = [
        f"  {reported_kinds.count(kind)} x {text}"
        for kind, text in _REVIEW.items()
        if kind in reported_kinds
    ]
    return [*lines, "Guessed or changed; please review:", *review] if review else lines


_REVIEW = {
    kinds.MUTATION_GUESSED: "`mutation: true`, where nothing marks a tool as read-only",
    kinds.HINT_CLAIMED: "`mutation` as the server claims it",
    kinds.HINT_CONTRADICTED: "`readOnlyHint` dropped, which contradicts `mutation`",
    kinds.INSTANCES_TAKEN_OVER: "an argument `instance` converted to `service.instances`",
    kinds.KEY_TAKEN_OVER: "an argument `idempotency_key` converted to `idempotency`",
    kinds.BOUNDS_REWRITTEN: "exclusive bounds of draft-04 rewritten as numbers",
    kinds.FORMATS_ANNOTATED: "`formats: annotate`, where a value does not match its format",
    kinds.HINT_DROPPED: "`destructiveHint: true` dropped from a tool that only reads",
    kinds.OUTPUT_UNKNOWN: "`outputSchema: true`, where the result has no schema",
    kinds.INPUT_ROOT: "`type: object` added to an input schema",
    kinds.INPUT_REPLACED: "an input schema replaced by one that accepts any object",
    kinds.NO_DESCRIPTION: "a placeholder in place of a description",
    kinds.TOOL_RENAMED: "a tool renamed",
    kinds.PREFIX_DROPPED: "the service's name dropped from the beginning of a tool's name",
    kinds.KEPT_ASIDE: "a member kept under `x-mcp`",
}


def _tools(count: int) -> str:
    return "1 tool" if count == 1 else f"{count} tools"


_SCHEMAS = ("inputSchema", "input_schema")
# Keywords allowed in such an argument; any other would be lost with it.
_KEYWORDS = frozenset({"type", "enum", "description", "title"})
_SEVERAL = 2


def read_instances(tools: Iterable[JsonObject]) -> JsonObject:
    """Return `service.instances` if every tool requires the same choice; else an empty object."""
    arguments = [_argument(members) for members in tools]
    first = arguments[0] if arguments else None
    if first is None or any(
        argument is None or argument["enum"] != first["enum"] for argument in arguments
    ):
        return {}
    names = first["enum"]
    assert isinstance(names, list)
    instances: JsonObject = {str(name): _about(str(name), first) for name in names}
    return instances if fits_field("service", "instances", instances) else {}


def without_instance(members: JsonObject) -> JsonObject:
    """Return a tool without the argument that `service.instances` adds."""
    key = _schema_key(members)
    schema = members[key]
    assert isinstance(schema, dict)
    properties, required = schema["properties"], schema["required"]
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    rest: JsonObject = {
        **schema,
        "properties": {name: member for name, member in properties.items() if name != INSTANCE},
        "required": [name for name in required if name != INSTANCE],
    }
    return {
        **members,
        key: {name: member for name, member in rest.items() if member not in ([], {})},
    }


def _schema_key(members: JsonObject) -> str:
    return next((key for key in _SCHEMAS if key in members), _SCHEMAS[0])


def _argument(members: JsonObject) -> JsonObject | None:
    """Return the schema of a tool's required argument `instance`, a choice of several names."""
    match members.get(_schema_key(members)):
        case {"properties": {"instance": dict(argument)}, "required": [*required]}:
            names = argument.get("enum")
            is_choice = isinstance(names, list) and len(names) >= _SEVERAL
            is_plain = argument.get("type") == "string" and argument.keys() <= _KEYWORDS
            return argument if is_choice and is_plain and INSTANCE in required else None
    return None


def _about(name: str, argument: JsonObject) -> JsonObject:
    """Return the title of an instance, parsed from a generated description."""
    description: JsonValue = argument.get("description")
    text = description if isinstance(description, str) else ""
    match = re.search(rf"`{re.escape(name)}`: (.+?)\.(?= `|$)", text)
    return {"title": match[1]} if match and match[1].strip() else {}
