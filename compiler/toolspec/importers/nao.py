"""Reader of Nao's JSON tool files, one tool each, as strict as Nao's own loader."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from toolspec.diagnostics import Checked, Subject, has_errors
from toolspec.frontend.shape.contract import fits_field
from toolspec.importers import kinds
from toolspec.importers.dump import Dump, ListedTool, Origin, without_credentials
from toolspec.shared.records import dataclass
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location

_TEXT = "a text"
_TEXTS = "a list of texts"
_MAP = "an object of texts"
_OBJECT = "an object"
_FLAG = "true or false"
_LIST = "a list"
_ANY = "a text or an object"


@dataclass(frozen=True, slots=True)
class _Shape:
    """Members of an object, with the form of each, and those that it must have."""

    owner: str
    members: Mapping[str, str]
    required: tuple[str, ...] = ()


_TOOL = _Shape(
    "a tool of Nao",
    {
        "name": _TEXT,
        "version": _TEXT,
        "description": _TEXT,
        "kind": _TEXT,
        "prompt": _OBJECT,
        "execution": _OBJECT,
        "runtime": _TEXT,
        "is_async": _FLAG,
        "output_content_type": _TEXT,
        "verify": _OBJECT,
        "revert": _OBJECT,
    },
    ("name",),
)
_PROMPT = _Shape(
    "a prompt of Nao",
    {
        "role": _TEXT,
        "objective": _TEXT,
        "domain_knowledge": _TEXTS,
        "constraints": _TEXTS,
        "examples": _LIST,
        "output_format": _ANY,
        "context": _TEXTS,
    },
)
_EXECUTIONS = {
    type_: _Shape(f"an execution `{type_}`", {"type": _TEXT, **members}, ("type", *members))
    for type_, members in {
        "process": {"command": _TEXT, "args": _TEXTS},
        "http": {"url": _TEXT, "method": _TEXT, "headers": _MAP},
        "custom": {"executor": _TEXT, "config": _MAP},
    }.items()
}
_KINDS = ("executable", "prompt")
# Members that only a tool of the other kind may have; `is_async: false` says nothing.
_MISPLACED = {
    "executable": ("prompt",),
    "prompt": ("execution", "runtime", "is_async", "verify", "revert"),
}
_NEEDED = {"executable": "execution", "prompt": "prompt"}
_JSON = "application/json"
_QUERY_METHODS = ("GET", "DELETE")


def read_nao(documents: Iterable[Document], name: str) -> Checked[Dump | None]:
    """Return the tools of Nao's files as one list, named `name`; None if a file has an error.

    Nao knows no schemas: each tool takes a text, and returns one unless its output is JSON.
    """
    diagnostics: list[Diagnostic] = []
    tools: list[ListedTool] = []
    server: Location | None = None
    for document in documents:
        server = document.location("serverInfo")
        errors = list(_errors(document.location()))
        diagnostics += errors
        if not errors and isinstance(document.value, dict):
            tool = _Tool(document, document.value)
            tools.append(tool.listed())
            diagnostics += tool.diagnostics
    if server is None or has_errors(diagnostics):
        return Checked(None, tuple(diagnostics))
    return Checked(Dump(Origin("nao", name, name), tuple(tools), server), tuple(diagnostics))


def _errors(at: Location) -> Iterator[Diagnostic]:
    """Yield what Nao's loader would refuse in a file."""
    value = at.value
    if not isinstance(value, dict):
        yield kinds.NAO_NOT_A_TOOL.at(at.span)
        return
    yield from _misshapen(at, _TOOL)
    kind = value.get("kind", "executable")
    kind = kind.strip().lower() if isinstance(kind, str) else ""
    if kind not in _KINDS:
        if isinstance(value.get("kind"), str):
            yield _wrong(at / "kind", "a tool of Nao", "is neither `executable` nor `prompt`")
        return
    owner = f"a tool of kind `{kind}`"
    for member in _MISPLACED[kind]:
        if value.get(member) not in (None, False):
            yield _wrong(at / member, owner, "must not be there")
    if value.get(_NEEDED[kind]) is None:
        yield _missing(at, owner, _NEEDED[kind])
    if isinstance(value.get("prompt"), dict):
        yield from _misshapen(at / "prompt", _PROMPT)
    for member in ("execution", "verify", "revert"):
        execution = value.get(member)
        if isinstance(execution, dict):
            yield from _execution_errors(at / member, execution)


def _execution_errors(at: Location, execution: JsonObject) -> Iterator[Diagnostic]:
    type_ = execution.get("type")
    if type_ is None:
        yield _missing(at, "an execution of Nao", "type")
    elif not isinstance(type_, str) or type_ not in _EXECUTIONS:
        known = ", ".join(f"`{name}`" for name in _EXECUTIONS)
        yield _wrong(at / "type", "an execution of Nao", f"is none of {known}")
    else:
        yield from _misshapen(at, _EXECUTIONS[type_])


def _misshapen(at: Location, shape: _Shape) -> Iterator[Diagnostic]:
    """Yield unknown and missing members of an object, and those of a wrong form."""
    value = at.value
    assert isinstance(value, dict), "only objects have a shape"
    for name, member in value.items():
        form = shape.members.get(name)
        if form is None:
            near = nearest(name, shape.members)
            known = ", ".join(f"`{known}`" for known in shape.members)
            hint = f"did you mean `{near}`?" if near else f"{shape.owner} has {known}"
            yield _report(kinds.UNKNOWN_MEMBER, at / name, name, owner=shape.owner, suggestion=hint)
        elif not _fits(member, form) and (member is not None or name in shape.required):
            yield _wrong(at / name, shape.owner, f"is not {form}")
    for name in shape.required:
        if name not in value:
            yield _missing(at, shape.owner, name)


def _fits(value: JsonValue, form: str) -> bool:
    match form, value:
        case "a text", str():
            return True
        case "true or false", bool():
            return True
        case "a list of texts", list():
            return all(isinstance(item, str) for item in value)
        case "an object of texts", dict():
            return all(isinstance(item, str) for item in value.values())
        case ("an object", dict()) | ("a list", list()) | ("a text or an object", str() | dict()):
            return True
    return False


def _wrong(at: Location, owner: str, problem: str) -> Diagnostic:
    return _report(kinds.WRONG_MEMBER, at, str(at.path[-1]), owner=owner, problem=problem)


def _missing(at: Location, owner: str, member: str) -> Diagnostic:
    return _report(kinds.MISSING_MEMBER, at, member, owner=owner)


def _report(kind: DiagnosticKind, at: Location, member: str, **parameters: object) -> Diagnostic:
    name = at.document.value.get("name") if isinstance(at.document.value, dict) else None
    subject = Subject("", name if isinstance(name, str) else "", at.pointer)
    return kind.at(at.key_span, subject=subject, member=member, **parameters)  # type: ignore[arg-type]  # never `labels` or `fix`


class _Tool:
    """Conversion of the tool in a file without errors, which reports what is lost."""

    def __init__(self, document: Document, value: JsonObject) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._value = value
        self._root = document.location()
        self._name = str(value["name"])
        self._comments: dict[str, str] = {}
        file = document.source.path.rpartition("/")[2]
        self._members: JsonObject = {
            "name": self._name,
            "inputSchema": {"type": "string"},
            "source": {"kind": "nao", "location": file, "member": self._name},
        }

    def listed(self) -> ListedTool:
        """Return the tool as an entry of a list."""
        value, members = self._value, self._members
        content_type = value.get("output_content_type") or "text/plain"
        is_json = content_type == _JSON
        members["outputSchema"] = True if is_json else {"type": "string"}
        if value.get("description"):
            members["description"] = value["description"]
        self._state("version", "version", value.get("version"))
        self._state("output_content_type", "outputContentType", content_type)
        if value.get("is_async"):
            members["taskSupport"] = "optional"
        for member in ("verify", "revert"):
            if isinstance(execution := value.get(member), dict):
                members[member] = True
                self._comments[member] = _summary(execution, value)
                self._lose(member, f"the handler's method `{member}_…` does it, as a comment says")
        self._execution()
        return ListedTool(self._name, members, self._root, self._comments)

    def _state(self, member: str, field: str, state: JsonValue) -> None:
        if state is not None and fits_field("tool", field, state):
            self._members[field] = state
        elif state is not None:
            self._lose(member, f"`{state}` is invalid for `{field}`")

    def _execution(self) -> None:
        execution = self._value.get("execution")
        if not isinstance(execution, dict):
            self._comments["source"] = "a prompt, which `ctx.sample` can complete"
            self._lose("prompt", "the handler completes it, with `ctx.sample` for example")
            return
        self._comments["source"] = _summary(execution, self._value)
        binding = _binding(execution)
        if not binding or not fits_field("tool", "http", binding):
            self._lose("execution", "the handler does it, as a comment says")
            return
        self._members["http"] = binding
        if "body" in binding:
            # Nao sends the text as it is, with this media type.
            self._members["inputSchema"] = {"type": "string", "contentMediaType": _JSON}
        if execution.get("headers"):
            problem = "they are not sent: write credentials as `security`"
            self._lose("execution.headers", problem)

    def _lose(self, member: str, problem: str) -> None:
        at = self._root.at(*member.split("."))
        lost = _report(kinds.LOST, at, member, owner=self._name, problem=problem)
        self.diagnostics.append(lost)


def _summary(execution: JsonObject, tool: JsonObject) -> str:
    """Return an execution in one line, without values of headers and configurations.

    These may be credentials.
    """
    match execution:
        case {"type": "process", "command": str(command), "args": list(arguments)}:
            runtime = tool.get("runtime")
            launched = f"{runtime}: " if runtime and runtime != "native" else ""
            return (
                f"process: {launched}{shlex.join([command, *map(str, arguments)])}, then the input"
            )
        case {"type": "http", "method": method, "url": str(url)}:
            shown = without_credentials(url)
            pairs = urlsplit(url).query.split("&") if shown else ()
            names = ", ".join(
                name for name, sign, _ in (pair.partition("=") for pair in pairs) if sign
            )
            return f"http: {method} {shown}" + (f", with {names} in the query" if names else "")
        case {"type": "custom", "executor": executor}:
            return f"custom: executor {executor}"
    return ""


def _binding(execution: JsonObject) -> JsonObject | None:
    """Return the request of the language that an execution makes, or None.

    Nao puts the input into the query of GET and DELETE, and into the body of any other method.
    """
    url = str(execution.get("url"))
    if execution["type"] != "http" or url != without_credentials(url) or "{" in url:
        return None
    parts = urlsplit(url)
    method = str(execution["method"]).upper()
    method = method if method in (*_QUERY_METHODS, "PUT") else "POST"
    binding: JsonObject = {
        "method": method,
        "server": f"{parts.scheme}://{parts.netloc}",
        "path": parts.path or "/",
    }
    if method not in _QUERY_METHODS:
        binding["body"] = {"argument": "input", "contentType": f"{_JSON}; charset=utf-8"}
    return binding
