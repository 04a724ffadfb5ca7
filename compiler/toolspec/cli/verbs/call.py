"""`toolspec call`: calls one tool from the shell, and prints its results and progress."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from toolspec.cli import call_options as option
from toolspec.cli.arguments import arguments_of
from toolspec.cli.exit_codes import Exit
from toolspec.cli.forms import terminal_callbacks
from toolspec.cli.generated_package import generated_package, project_store, refuse
from toolspec.cli.mcp_server import mcp_server
from toolspec.cli.prompt import TerminalApprover
from toolspec.shared.records import dataclass
from toolspec.sinks.terminal import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.runtime.client.portal import Portal
    from toolspec.runtime.client.transport import Transport
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.progress import Progress
    from toolspec.runtime.registry import Registry
    from toolspec.serving.client import McpTransport
    from toolspec.syntax.nodes import JsonObject, JsonValue


def show_result(value: object, *, raw: bool) -> None:
    """Print a result as JSON, indented for a person; `raw` prints a string as its text."""
    if raw and isinstance(value, str):
        _out(value, end="\n")
        return
    is_read = sys.stdout.isatty()
    _out(_json(value, indent=2 if is_read else None), end="\n")


def show_chunks(chunks: Iterable[object], *, is_text: bool) -> None:
    """Print each chunk as it arrives: a part of a text as it is, anything else as a line of JSON."""
    text = ""
    for chunk in chunks:
        if is_text and isinstance(chunk, str):
            text = chunk or text
            _out(chunk, end="")
        else:
            _out(_json(chunk, indent=None), end="\n")
    if sys.stdout.isatty() and text and not text.endswith("\n"):
        _out("", end="\n")


def show_progress(value: float | None, total: float | None, message: str | None) -> None:
    """Print a progress report as one line."""
    reached = "" if value is None else f"{value:g}"
    counted = f"{reached}/{total:g}" if reached and total is not None else reached
    print(" ".join(filter(None, (counted, printable(message or "")))), file=sys.stderr)


def show_error(wire: JsonObject, *, as_json: bool) -> None:
    """Print an error of a tool: one line, and one for each invalid field."""
    error = wire["error"]
    if as_json or not isinstance(error, dict):
        # In ASCII and without the commands of CI services; for a program it is the same JSON.
        text = json.dumps({"error": error}, separators=(",", ":"))
        print(text.replace("##", "#\\u0023"), file=sys.stderr)
        return
    print(f"toolspec: {printable(str(wire['text']))}", file=sys.stderr)
    fields, details = error.get("field_errors"), error.get("details")
    for field in fields if isinstance(fields, list) else []:
        if isinstance(field, dict):
            line = f"{field.get('path')}: {field.get('message')}"
            print(f"  {printable(line)}", file=sys.stderr)
    if isinstance(details, dict) and isinstance(details.get("hint"), str):
        print(f"  hint: {printable(str(details['hint']))}", file=sys.stderr)


def _json(value: object, indent: int | None) -> str:
    separators = (",", ": ") if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def _out(text: str, *, end: str) -> None:
    """Print to stdout at once; terminal control characters are escaped."""
    shown = printable_lines(text) if sys.stdout.isatty() else text
    print(shown, end=end, flush=True)


_LAST_SECONDS = 1.0
"""Seconds for threads of handlers to end after an interrupt."""

_EXCERPT = 30  # characters shown before an error


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("call")(call)


def call(
    name: option.Name,
    words: option.Words = None,
    *,
    json_text: option.Json = None,
    input_file: option.Input = None,
    handlers: option.Handlers = None,
    upstream: option.Upstream = False,
    private_upstream: option.PrivateUpstream = False,
    settings: option.Settings = None,
    mode: option.Mode = None,
    store: option.Store = None,
    seed: option.Seed = 0,
    url: option.Url = None,
    stdio: option.Stdio = None,
    timeout: option.Timeout = 300.0,
    yes: option.Yes = False,
    dry_run: option.DryRun = False,
    raw: option.Raw = False,
    form: option.Form = option.ErrorForm.TEXT,
) -> None:
    """Call a tool: of the compiled services, or of a running MCP server.

    Asks for approval before a call that changes something. Prints the chunks of a stream as they
    arrive, and progress to stderr. TOOLSPEC_TOKEN, or the file that TOOLSPEC_TOKEN_FILE names, is the
    bearer token for --url. Exits 0 on success, 1 on an error of the tool, 2 for wrong usage,
    130 after Ctrl-C.
    """
    if sum(map(bool, (url, stdio, handlers or upstream or settings or mode or store))) > 1:
        own = "--handlers, --upstream, --settings, --mode and --store"
        refuse((f"choose one: --url, --stdio, or {own}",))
    if private_upstream and not upstream:
        refuse(("only with --upstream: --private-upstream",))
    arguments = _json_arguments(json_text, input_file)
    with _print_errors(name, form):
        from toolspec.runtime.client.portal import Portal

        with Portal() as portal:
            if url or stdio:
                transport = mcp_server(url, stdio, timeout or None, terminal_callbacks())
                source = _remote(portal, transport, name)
            else:
                serve_request = {
                    "handlers": tuple(handlers or ()),
                    "settings": settings or "",
                    "seed": seed,
                    "mode": mode or "",
                    "upstream": upstream,
                    "private_upstream": private_upstream,
                }
                source = _local(serve_request, name, store or "")
                portal.adopt(source.registry)
            _call(
                portal,
                source,
                _arguments(source, words or [], arguments),
                _CallOptions(yes, dry_run, raw, is_retried=not upstream),
            )


@dataclass(frozen=True, slots=True)
class _CallOptions:
    """Options of a call: approved in advance, as a dry run, with raw text, repeated by the client."""

    yes: bool
    dry_run: bool
    raw: bool
    is_retried: bool


@dataclass(frozen=True, slots=True)
class _Source:
    """A tool and the function that calls it."""

    name: str
    tool: ToolDefinition
    transport: Transport
    registry: Registry | None = None

    def checked(self, arguments: JsonObject) -> JsonValue:
        """Return validated arguments, with defaults for a compiled tool."""
        if self.registry is not None:
            return self.registry.checked(self.name, arguments)
        from toolspec.runtime.errors import ToolError
        from toolspec.runtime.validation import SchemaCheck, summary

        check = SchemaCheck(self.tool.arguments_schema, self.tool.formats)
        try:
            is_accepted = check.accepts(arguments)
        except ValueError as problem:
            message = f"the server's schema for `{self.name}` cannot be used: {problem}"
            raise ToolError.output(message, code="bad_schema") from None
        if is_accepted:
            return arguments
        errors = check.errors(arguments)
        message = f"invalid arguments for `{self.name}`: {summary(errors)}"
        raise ToolError.validation(message, field_errors=errors)


def _arguments(source: _Source, words: list[str], arguments: JsonObject) -> JsonObject:
    parsed = arguments_of(words, json.loads(source.tool.arguments_schema), arguments)
    if parsed.problems:
        refuse(parsed.problems)
    return parsed.arguments


def _call(
    portal: Portal, source: _Source, arguments: JsonObject, call_options: _CallOptions
) -> None:
    from toolspec.runtime.client.calls import Calls, ClientCall, ClientConfig
    from toolspec.runtime.client.retries import Retries
    from toolspec.runtime.errors import ToolError

    tool = source.tool
    sent = ClientCall(tool, arguments, None).arguments
    checked = _shown(source.checked(sent), arguments)
    if call_options.dry_run:
        show_result(checked, raw=False)
        return
    approver = TerminalApprover(call_options.yes, tool)
    approver.approve_call(checked)
    # A call of an upstream service repeats its requests itself.
    retries = Retries() if call_options.is_retried else Retries(times=0)
    config = ClientConfig(approver=approver, on_progress=_progress, retries=retries)
    calls = Calls(source.transport, config)
    try:
        if tool.streaming:
            chunks = portal.iterate(lambda: calls.stream(tool, sent))
            show_chunks(chunks, is_text=tool.reduction == "join")
        else:
            result = portal.run(lambda: calls.call(tool, sent))
            show_result(result, raw=call_options.raw)
    except ToolError as error:
        raise approver.corrected(error) from None


def _shown(checked: JsonValue, arguments: JsonObject) -> JsonValue:
    """Return the arguments for approval, without a generated idempotency key."""
    if not isinstance(checked, dict) or "idempotency_key" in arguments:
        return checked
    return {name: value for name, value in checked.items() if name != "idempotency_key"}


def _progress(progress: Progress) -> None:
    show_progress(progress.value, progress.total, progress.message)


def _json_arguments(text: str | None, file: str | None) -> JsonObject:
    """Return the arguments of `--json` or `--input`."""
    if text is not None and file is not None:
        refuse(("choose one: --json or --input",))
    try:
        value = json.loads("{}" if text is None else text) if file is None else _read(file)
    except OSError as problem:
        refuse((f"the arguments cannot be read: {problem}",))
    except json.JSONDecodeError as problem:
        refuse(_not_json(problem, "--json" if file is None else file))
    except (ValueError, RecursionError) as problem:
        refuse((f"the arguments are not JSON: {problem}",))
    if not isinstance(value, dict):
        refuse(('the arguments are not a JSON object: write `{"name": "value"}`',))
    return value


def _not_json(problem: json.JSONDecodeError, source: str) -> tuple[str, ...]:
    """Return lines about invalid JSON: location, excerpt, and an example of arguments."""
    reason = problem.msg[:1].lower() + problem.msg[1:]
    line = problem.doc.split("\n")[problem.lineno - 1]
    start = max(0, problem.colno - 1 - _EXCERPT)
    shown = line[start : start + 2 * _EXCERPT]
    location = f"line {problem.lineno}, column {problem.colno}"
    return (
        f"{source} is not valid JSON: {reason} at {location}",
        f"  {shown}",
        f"  {' ' * (problem.colno - 1 - start)}^",
        '  write an object such as {"name": "value"}, in single quotes for the shell; or NAME=VALUE',
    )


def _read(file: str) -> object:
    """Return the JSON value of a file in any Unicode encoding; `-` is stdin."""
    value: object = json.loads(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    return value


def _local(request: dict[str, Any], name: str, store: str) -> _Source:
    from toolspec.runtime.errors import ToolError
    from toolspec.serving.handlers import ServeRequest, assemble
    from toolspec.serving.options import Options
    from toolspec.serving.package import load_package
    from toolspec.serving.stores import stated_store, with_store

    folder, package = generated_package()
    served = assemble(load_package(folder, package), ServeRequest(**request))
    try:
        tool = served.registry.definition(name)
    except ToolError as problem:
        if name in _documented():
            hint = "run `toolspec compile`"
            refuse((f"`{name}` is in the documents and was not compiled yet: {hint}",))
        refuse((problem.message,))
    services = served.registry.services
    if any(service.name in served.mocked and tool in service.tools for service in services):
        print("toolspec: a mock answers", file=sys.stderr)
    url = stated_store(store, os.environ, project_store())
    options = Options(folder=str(folder), package=package, store=url)
    registry = with_store(options, served, only=tool).registry
    if registry.controls.callbacks is None:
        registry = registry.with_controls(callbacks=terminal_callbacks())
    return _Source(name, tool, registry, registry)


def _documented() -> set[str]:
    """Return the tool names of the documents, which may be newer than the package."""
    from toolspec.driver import build

    program = build.check(build.Request()).value.program
    return {
        full_name
        for _, tool in program.tools
        for name in (tool.names.full, *tool.aliases)
        for full_name in (name, f"{name}@{tool.version}")
    }


def _remote(portal: Portal, transport: McpTransport, name: str) -> _Source:
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.spelling import suggestion

    portal.adopt(transport)
    listed = portal.run(lambda: transport.find(name))
    if listed is None:
        tools = portal.run(transport.tools)
        names = (
            *tools,
            *(alias for listed_tool in tools.values() for alias in listed_tool.aliases),
        )
        refuse((f"the server lists no tool `{name}`{suggestion(name, names)}",))
    version = name.partition("@")[2]
    tool = ToolDefinition(**{**vars(listed.definition), "version": version})
    _check_schemas(tool)
    return _Source(name, tool, transport)


def _check_schemas(tool: ToolDefinition) -> None:
    """Reject schemas of a server that could keep a validator busy for ever."""
    from toolspec.runtime.errors import ToolError
    from toolspec.schema.foreign import refusal

    for text in (tool.arguments_schema, tool.output_schema):
        if reason := refusal(text):
            message = f"the server's schema for `{tool.full_name}` cannot be used: {reason}"
            raise ToolError.output(message, code="bad_schema")


@contextmanager
def _print_errors(name: str, form: option.ErrorForm) -> Iterator[None]:
    """Print the error of a failed call, and exit with its status."""
    from toolspec.runtime.errors import ToolError
    from toolspec.serving.errors import ServeError
    from toolspec.serving.shutdown import Shutdown

    try:
        yield
    except ServeError as fault:
        refuse(fault.lines)
    except ToolError as error:
        if error.code == "unknown_tool" and error.details.get("tool") == name:
            refuse((error.message,))
        show_error(_wire(error), as_json=form is option.ErrorForm.JSON)
        raise typer.Exit(Exit.DIAGNOSTICS) from None
    except KeyboardInterrupt:
        Shutdown(_LAST_SECONDS).begin(Exit.INTERRUPTED)
        raise typer.Exit(Exit.INTERRUPTED) from None


def _wire(error: ToolError) -> JsonObject:
    """Return an error for the terminal: its message without the separately printed fields."""
    from toolspec.runtime.validation import summary
    from toolspec.shared.json_values import one_line

    wire = error.to_wire()
    if error.field_errors:
        fields = one_line(summary(error.field_errors))
        wire["text"] = str(error).replace(f": {fields}", "", 1)
    return wire
