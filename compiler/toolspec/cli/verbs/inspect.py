"""`toolspec inspect NAME`: prints one tool as the compiler understands it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.lowered_tool import lowered_json, lowered_text
from toolspec.cli.report_options import status
from toolspec.diagnostics import did_you_mean, has_errors
from toolspec.driver import build as driver
from toolspec.driver.build import Request
from toolspec.ir import AuthKind
from toolspec.providers import profile as profiles
from toolspec.sinks.terminal import printable, printable_json
from toolspec.targets import discovery
from toolspec.targets.catalog.entries import example_entry, http_entry, icon_entry

if TYPE_CHECKING:
    from toolspec.ir import Auth, Program, Schema, Service, Tool
    from toolspec.providers.profile import Profile
    from toolspec.syntax.nodes import Location


def inspection(service: Service, tool: Tool) -> dict[str, object]:
    """Return the properties of one tool, in reading order."""
    return {
        "name": tool.names.full,
        "names": _names(service, tool),
        "title": tool.title,
        "summary": tool.summary,
        "description": tool.description,
        "group": tool.group or "none",
        "tags": list(tool.tags),
        "icon": tool.icon,
        "icons": [icon_entry(icon) for icon in tool.icons],
        "deprecated": asdict(tool.deprecated) if tool.deprecated else "no",
        "flags": _flags(tool),
        "hints": _hints(tool),
        "risk": {"tier": tool.risk.tier, "reason": tool.risk.reason or "derived"},
        "requires": _requirements(tool),
        "auth": _auth(service.auth),
        "instances": [instance.name for instance in service.instances],
        "modes": [mode.name for mode in service.modes],
        "execution": _execution(tool),
        "http": http_entry(tool.http) or "none",
        "errors": [asdict(error) for error in tool.errors],
        "examples": [example_entry(example) for example in tool.examples],
        "schemas": _schemas(tool),
        "extensions": tool.extensions or "none",
        "origin": _origin(tool),
    }


def _names(service: Service, tool: Tool) -> dict[str, object]:
    from toolspec.targets.python.service_types import types_of

    return {
        "service": service.name,
        "tool": tool.name,
        "naming": service.naming.value,
        "version": tool.version or "none",
        "wireName": tool.wire_name or "none",
        "aliases": list(tool.aliases),
        "python": f"{service.names.module}.{service.names.class_stem}Handlers.{tool.names.method}",
        "types": types_of(service, tool),
    }


def _flags(tool: Tool) -> dict[str, object]:
    return {
        "mutation": tool.mutation,
        "input": tool.input_form.value,
        "streaming": tool.streaming,
        "reduction": tool.reduction.value if tool.streaming else "none",
        "taskSupport": tool.task_support.value,
        "idempotency": tool.idempotency.value,
        "verify": tool.verify,
        "revert": tool.revert,
        "outputContentType": tool.output_content_type,
        "formats": tool.formats.value,
    }


def _hints(tool: Tool) -> dict[str, object]:
    hints = tool.annotations
    values = {
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.open_world,
    }
    origin = {name: "stated" if name in hints.stated else "derived" for name in values}
    flags = {name: f"{str(value).lower()} ({origin[name]})" for name, value in values.items()}
    return {"title": hints.title, **flags}


def _requirements(tool: Tool) -> dict[str, object]:
    permissions = (
        f"{p.kind} {p.operation} {p.resource}".replace("  ", " ") for p in tool.permissions
    )
    return {
        "scopes": [" or ".join(rule.any_of) for rule in tool.scopes],
        "permissions": list(permissions),
        "effects": [effect.value for effect in tool.effects],
    }


def _auth(auth: Auth) -> object:
    """Return how calls of the service authenticate."""
    if auth.kind is AuthKind.NONE:
        return "none"
    facts: dict[str, object] = {"type": auth.kind.value, "credentials": auth.credentials.value}
    if auth.kind is AuthKind.OAUTH2:
        facts |= {"authorizationUrl": auth.authorization_url, "tokenUrl": auth.token_url}
        facts |= {
            "scopes": [scope.name for scope in auth.scopes],
            "authorizeParameters": dict(auth.authorize_parameters) or "none",
            "tokenResponse": dict(auth.token_response) or "none",
        }
    if auth.fields:
        facts["fields"] = auth.fields.bundle
    return facts


def _execution(tool: Tool) -> dict[str, object]:
    hooks = {key: list(value) for key, value in asdict(tool.hooks).items() if value}
    timeout = {key: value for key, value in asdict(tool.timeout).items() if value is not None}
    limits = {key: value for key, value in asdict(tool.limits).items() if value is not None}
    return {"hooks": hooks or "none", "timeout": timeout or "none", "limits": limits or "none"}


def _schemas(tool: Tool) -> dict[str, object]:
    schemas: dict[str, object] = {"arguments": tool.arguments}
    schemas |= {"input": tool.input.bundle, "output": tool.output.bundle}
    if tool.chunk is not None:
        schemas["chunk"] = tool.chunk.bundle
    return schemas


def _origin(tool: Tool) -> dict[str, object]:
    source = tool.provenance
    facts: dict[str, object] = {
        "definition": f"{source.file}:{source.line} at {source.pointer}",
        "digest": source.digest,
        "input schema": _where(tool.input),
        "output schema": _where(tool.output),
    }
    if source.kind != "spec":
        facts["imported"] = f"{source.kind} {source.location} {source.member}".rstrip()
    return facts


def _where(schema: Schema) -> str:
    location: Location | None = schema.location
    if location is None:
        return "not declared; the default"
    shared = ", ".join(name for name, _ in schema.shared)
    uses = f", with {shared}" if shared else ""
    return f"{location.document.source.path}:{location.span.first.line} at {location.pointer}{uses}"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("inspect")(inspect_tool)


def inspect_tool(
    name: Annotated[
        str,
        typer.Argument(
            metavar="TOOL", help="Full name of a tool, or its own name if that is unique."
        ),
    ],
    paths: options.Paths = None,
    *,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="NAME",
            help="Show the tool as this target sends it, and the outcome of each keyword.",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show one resolved tool: its names, derived flags, schemas, and their origins."""
    profile = _profile(target) if target else None
    checked = driver.check(Request(paths or ()))
    # With a profile, continue after an error: its reason is what the user wants to see.
    if has_errors(checked.diagnostics) and not profile:
        console.report(checked.diagnostics, checked.value.project.root)
        raise typer.Exit(status(checked.diagnostics))
    tools = _find(checked.value.program, name)
    if not tools and has_errors(checked.diagnostics):
        console.report(checked.diagnostics, checked.value.project.root)
        raise typer.Exit(status(checked.diagnostics))
    if not tools:
        names = [tool.names.full for _, tool in checked.value.program.tools]
        console.complain(f"no tool is named `{name}`; {did_you_mean(name, names)}")
        raise typer.Exit(Exit.USAGE)
    if as_json:
        shown = [lowered_json(*pair, profile) if profile else inspection(*pair) for pair in tools]
        console.say(printable_json(shown[0] if len(shown) == 1 else shown))
        return
    for pair in tools:
        console.say(lowered_text(*pair, profile) if profile else _text(inspection(*pair)))


def _profile(target: str) -> Profile:
    """Return the profile of a target; exits with 2 if it is unknown or lowers nothing."""
    profile = profiles.find_profile(target)
    if profile is None or not profile.steps:
        names = [
            name
            for name in profiles.names()
            if (known_profile := profiles.find_profile(name)) and known_profile.steps
        ]
        what = "sends schemas unchanged" if discovery.find(target) else "is not a target"
        console.complain(f"`{target}` {what}; {did_you_mean(target, names)}")
        raise typer.Exit(Exit.USAGE)
    return profile


def _find(program: Program, name: str) -> list[tuple[Service, Tool]]:
    """Return the tools of a full name, with or without its version, else those of a bare name."""
    bare, _, version = name.partition("@")
    tools = [(s, t) for s, t in program.tools if not version or t.version == version]
    full = [(s, t) for s, t in tools if bare in (t.names.full, *t.aliases)]
    return full or [(s, t) for s, t in tools if t.name == bare]


def _text(value: dict[str, object], indent: str = "") -> str:
    """Return nested values as indented lines; schemas as JSON below their name."""
    width = max(len(key) for key in value)
    lines: list[str] = []
    for key, member in value.items():
        if isinstance(member, dict) and key in {"arguments", "input", "output", "chunk", "fields"}:
            lines.append(f"{indent}{key}")
            lines += [f"{indent}  {line}" for line in printable_json(member).splitlines()]
        elif isinstance(member, dict):
            lines += [f"{indent}{key}", _text(member, indent + "  ")]
        else:
            shown = member if isinstance(member, str) else json.dumps(member, ensure_ascii=True)
            lines.append(f"{indent}{key:<{width}}  {printable(shown)}")
    return "\n".join(lines)
