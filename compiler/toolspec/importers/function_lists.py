"""Reader of the tool lists that model providers take, the inverse of the provider targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, Subject
from toolspec.importers import kinds
from toolspec.importers.dump import Dump, ListedTool, Origin
from toolspec.importers.openapi_subset import json_schema
from toolspec.importers.strict_nulls import StrictNulls, without_strict_nulls
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.diagnostics import DiagnosticKind
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location

_CLOSED: JsonObject = {"type": "object", "additionalProperties": False}
"""Arguments of a function that states none."""


@dataclass(frozen=True, slots=True)
class _Form:
    """Form of a provider's lists.

    `lists` are the members that contain tools, `fields` those of a tool by their name in the
    language. `consumed` says nothing about the tool itself. A tool is inside `envelope`, if that is
    there. `strict` requires optional properties, with null where one is missing. Schemas under
    `subset` are in Gemini's part of OpenAPI.
    """

    lists: tuple[str, ...]
    fields: Mapping[str, str]
    envelope: str = ""
    consumed: frozenset[str] = frozenset({"type", "strict"})
    function_types: tuple[str, ...] = ()
    strict: bool = False
    subset: frozenset[str] = frozenset()


_FUNCTION = {"parameters": "inputSchema"}
_FORMS = {
    "openai": _Form(
        lists=("tools", "functions"),
        fields={**_FUNCTION, "output_schema": "outputSchema"},
        envelope="function",
        function_types=("function", "custom", "namespace"),
        strict=True,
    ),
    "anthropic": _Form(
        lists=("tools",),
        fields={"input_schema": "inputSchema", "input_examples": "examples"},
        function_types=("custom",),
    ),
    "gemini": _Form(
        lists=("tools", "functionDeclarations", "function_declarations"),
        fields={
            **_FUNCTION,
            "parametersJsonSchema": "inputSchema",
            "parameters_json_schema": "inputSchema",
            "response": "outputSchema",
            "responseJsonSchema": "outputSchema",
            "response_json_schema": "outputSchema",
        },
        subset=frozenset({"parameters", "response"}),
    ),
    "bedrock": _Form(
        lists=("toolConfig", "tools"), fields={"inputSchema": "inputSchema"}, envelope="toolSpec"
    ),
    "mistral": _Form(
        lists=("tools",), fields=_FUNCTION, envelope="function", function_types=("function",)
    ),
}
PROVIDERS = tuple(_FORMS)
_WHOLE = frozenset({"name", "description"})


def read_functions(
    document: Document, provider: str, nulls: StrictNulls = StrictNulls.OPTIONAL
) -> Checked[Dump | None]:
    """Return the functions of a provider's list; None with an error if it has none.

    Accepted are a list, an object with one (a request, for example), and a single tool. What the
    provider itself runs is left out, with a warning. `nulls` is the meaning of null in strict
    schemas.
    """
    reader = _Reader(_FORMS[provider], nulls)
    root = document.location()
    if not reader.read(root) or (reader.entries and not reader.tools):
        missing = kinds.NO_FUNCTIONS.at(root.span, "no tools here", provider=provider)
        return Checked(None, (*reader.diagnostics, missing))
    server = document.location("serverInfo")
    dump = Dump(Origin.of_file(document, provider), tuple(reader.tools), server)
    return Checked(dump, tuple(reader.diagnostics))


class _Reader:
    """Collects the tools of a list in one form."""

    def __init__(self, form: _Form, nulls: StrictNulls) -> None:
        self.tools: list[ListedTool] = []
        self.diagnostics: list[Diagnostic] = []
        self._form = form
        self._nulls = nulls
        self.entries = 0

    def read(self, at: Location, group: str = "") -> bool:
        """Collect the tools of a value; return False if it has none."""
        match at.value:
            case list(entries):
                found = [
                    self.read(at / index, group)
                    if isinstance(entry, dict)
                    else self._leave_out(at / index, "it is not an object")
                    for index, entry in enumerate(entries)
                ]
                return bool(found) or bool(at.path)
            case dict(members):
                lists = [name for name in self._form.lists if name in members]
                if lists and members.get("type") == "namespace":
                    return self._read_namespace(at, members)
                if not lists:
                    return self._read_entry(at, members, group)
                left = [name for name in members if name not in lists]
                if left:
                    names = ", ".join(f"`{name}`" for name in left)
                    span = (at / left[0]).key_span
                    self.diagnostics.append(kinds.MEMBERS_LEFT_OUT.at(span, members=names))
                found = [self.read(at / name, group) for name in lists]
                return any(found)
            case _:
                return False

    def _read_namespace(self, at: Location, members: JsonObject) -> bool:
        """Collect the tools of a namespace of OpenAI, which becomes their group."""
        name = members.get("name")
        if members.get("description"):
            self._report(
                kinds.LOST, at / "description", f"{name}", problem="a group has only a name"
            )
        return self.read(at / "tools", name if isinstance(name, str) else "")

    def _read_entry(self, at: Location, members: JsonObject, group: str) -> bool:
        envelope = members.get(self._form.envelope)
        inner, location = members, at
        if isinstance(envelope, dict):
            inner, location = envelope, at / self._form.envelope
        kind, types = members.get("type"), self._form.function_types
        name = inner.get("name")
        is_function = not types or kind is None or kind in types
        if not at.path and not (is_function and isinstance(name, str)):
            return False
        if not is_function or (name is None and inner is members and len(members) == 1):
            what = kind if isinstance(kind, str) else next(iter(members))
            return self._leave_out(at, f"`{what}` is run by the provider, not by a service")
        if not isinstance(name, str) or not name:
            return self._leave_out(at, "it has no `name`")
        self.entries += 1
        converted = self._members(name, inner, location)
        if kind == "custom" and self._form.strict:
            converted = {**converted, "inputSchema": {"type": "string"}}
        if group:
            converted["group"] = group
        self.tools.append(ListedTool(name, converted, location))
        return True

    def _leave_out(self, at: Location, problem: str) -> bool:
        """Report an entry that is no function of a service."""
        self.entries += 1
        subject = Subject(pointer=at.pointer)
        self.diagnostics.append(
            kinds.NOT_A_TOOL.at(at.span, subject=subject, number=self.entries, problem=problem)
        )
        return True

    def _members(self, name: str, inner: JsonObject, at: Location) -> JsonObject:
        """Return the members of a tool under the names of the language."""
        form = self._form
        members: JsonObject = {}
        examples: JsonValue = None
        for key, value in inner.items():
            field = form.fields.get(key, key if key in _WHOLE else "")
            if not field:
                if key not in form.consumed:
                    self._report(kinds.LOST, at / key, name, problem="a spec has no field for it")
            elif field in _WHOLE:
                members[field] = value
            elif field == "examples":
                examples = value
            elif field not in members and value not in (None, {}):
                members[field] = self._schema(key, value)
        schema = members.setdefault("inputSchema", dict(_CLOSED))
        if form.strict and inner.get("strict") is True:
            parameters = at / next(
                (key for key in inner if form.fields.get(key) == "inputSchema"), ""
            )
            members["inputSchema"] = self._without_nulls(name, schema, parameters)
        schema = members["inputSchema"]
        if isinstance(examples, list) and isinstance(schema, dict):
            members["inputSchema"] = {**schema, "examples": examples}
        return members

    def _schema(self, key: str, value: JsonValue) -> JsonValue:
        if key in self._form.subset:
            return json_schema(value)
        if self._form.envelope == "toolSpec" and isinstance(value, dict) and "json" in value:
            return value["json"] or dict(_CLOSED)
        return value

    def _without_nulls(self, name: str, schema: JsonValue, at: Location) -> JsonValue:
        rewritten = without_strict_nulls(schema, self._nulls)
        for path in rewritten.paths:
            self._report(
                kinds.STRICT_NULL,
                at.at(*path),
                name,
                meaning=_MEANINGS[self._nulls],
            )
        return rewritten.schema

    def _report(self, kind: DiagnosticKind, at: Location, owner: str, **parameters: object) -> None:
        member = str(at.path[-1])
        subject = Subject("", owner, at.pointer)
        self.diagnostics.append(
            kind.at(at.key_span, subject=subject, member=member, owner=owner, **parameters)  # type: ignore[arg-type]  # never `labels` or `fix`
        )


_MEANINGS = {
    StrictNulls.OPTIONAL: "is optional, without null",
    StrictNulls.REQUIRED: "is required, and null is a value",
    StrictNulls.NULLABLE: "is optional, and null is a value",
}
