"""Page of one service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, Credentials, Formats, Naming
from toolspec.providers.tokens import shown
from toolspec.sinks.markdown import cell, code, text
from toolspec.sinks.markdown_layout import blocks, section, table
from toolspec.targets.docs.calling import calling
from toolspec.targets.docs.extensions import extension_table
from toolspec.targets.docs.paths import INDEX, link
from toolspec.targets.docs.safety_lists import badges, safety_lists
from toolspec.targets.docs.schema_table import schema_table
from toolspec.targets.docs.sizes import size_section
from toolspec.targets.docs.tool_section import tool_section
from toolspec.targets.docs.types import Types
from toolspec.targets.sizes import sizes
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Auth, Service, Tool
    from toolspec.providers.lowered_tools import LoweredTools

_DECLARED = (
    "Errors that tools of this service declare, besides those of any call (invalid input, missing "
    "permission, a timeout)."
)


def service_page(service: Service, package: str, lowered_tools: LoweredTools) -> str:
    """Return the page of a service; `package` is the import path of the generated code."""
    tools, known, types = service.tools, sizes(service, lowered_tools), Types(service)
    page = blocks(
        f"# {cell(service.title) or code(service.name)}",
        f"{_facts(service)} · [all services]({INDEX})",
        text(service.description),
        table(
            ("Tool", "Safety", "Tokens", "Description"),
            (
                (
                    link(each),
                    badges(each),
                    shown(known.each[exact_name(each)]),
                    cell(each.summary or each.title),
                )
                for each in tools
            ),
        ),
        section(
            "## Instructions",
            section(
                "Instructions that a client may pass to its model:", text(service.instructions)
            ),
        ),
        section("## How to call it", calling(service, package)),
        _settings(service, types),
        _sign_in(service.auth, types),
        _instances(service),
        _modes(service),
        _errors(service),
        section("## Extensions", extension_table(service.extensions)),
        section("## Tools by safety", *(each.block for each in safety_lists(tools, link))),
        size_section(tools, known),
        *_groups(service, types),
        types.section,
    )
    return f"{page}\n"


def _facts(service: Service) -> str:
    count = len(service.tools)
    facts = [
        f"Service {code(service.name)}",
        f"version {code(service.version)}",
        cell(service.category),
        f"{count} tool{'' if count == 1 else 's'}",
        "names without a prefix" if service.naming is Naming.AS_WRITTEN else "",
        "formats checked" if service.formats is Formats.ASSERT else "formats not checked",
    ]
    return " · ".join(filter(None, facts))


def _settings(service: Service, types: Types) -> str:
    if service.settings is None:
        return ""
    settings = schema_table(service.settings.bundle, types.links(service.settings))
    return blocks(
        "## Settings",
        "An administrator sets these once for all callers.",
        settings.about,
        settings.inputs,
    )


def _sign_in(auth: Auth, types: Types) -> str:
    if auth.kind is AuthKind.NONE:
        return ""
    whose = (
        "Each caller signs in and uses their own account."
        if auth.credentials is Credentials.PER_USER
        else "One account serves all callers; an administrator sets it up."
    )
    if auth.kind is AuthKind.OAUTH2:
        how = "Callers sign in with OAuth 2.0."
    else:
        how = "Callers sign in with the credentials below."
    places = [
        f"Access is granted at {code(auth.authorization_url)}." if auth.authorization_url else "",
        f"Tokens come from {code(auth.token_url)}." if auth.token_url else "",
    ]
    fields = schema_table(auth.fields.bundle, types.links(auth.fields)) if auth.fields else None
    return blocks(
        "## Signing in",
        " ".join((how, whose, *filter(None, places))),
        blocks(fields.about, fields.inputs) if fields else "",
        section(
            "Further parameters of the authorization URL:",
            table(
                ("Parameter", "Value"),
                ((code(key), code(value)) for key, value in auth.authorize_parameters),
            ),
        ),
        section(
            "Members of the token response with other names:",
            table(
                ("Holds", "Member"),
                ((code(role), code(member)) for role, member in auth.token_response),
            ),
        ),
        table(
            ("Scope", "Description"),
            ((code(each.name), cell(each.description)) for each in auth.scopes),
        ),
    )


def _instances(service: Service) -> str:
    if not service.instances:
        return ""
    several = len(service.instances) > 1
    return blocks(
        "## Instances",
        "Settings and credentials are given for each instance."
        + (f" Each call says in {code('instance')} which one it is for." if several else ""),
        table(
            ("Instance", "Title", "Description"),
            (
                (code(each.name), cell(each.title), cell(each.description))
                for each in service.instances
            ),
        ),
    )


def _modes(service: Service) -> str:
    if not service.modes:
        return ""
    return blocks(
        "## Modes",
        "Without a mode the service is live. In each of these modes a tool that writes has risk tier 1, "
        "and settings and credentials are the mode's own: start it with "
        f"{code(f'toolspec serve --mode {service.modes[0].name}')}, or pass {code('mode')} to "
        f"{code('bind')}.",
        table(
            ("Mode", "Description"),
            ((code(each.name), cell(each.description)) for each in service.modes),
        ),
    )


def _errors(service: Service) -> str:
    """Return the table of all errors that tools declare, in order of first appearance."""
    by_meaning: dict[tuple[str, str, bool], list[Tool]] = {}
    for tool in service.tools:
        for error in tool.errors:
            key = (error.code, error.description, error.retryable)
            by_meaning.setdefault(key, []).append(tool)
    rows = (
        (code(name), cell(about), "yes" if retryable else "no", ", ".join(map(link, tools)))
        for (name, about, retryable), tools in by_meaning.items()
    )
    listed = table(("Code", "When", "Worth repeating", "Tools"), rows)
    return section("## Errors", section(_DECLARED, listed))


def _groups(service: Service, types: Types) -> Iterator[str]:
    """Yield the tools by group in order of first appearance; those without a group come last."""
    by_group: dict[str, list[str]] = {}
    for tool in service.tools:
        by_group.setdefault(tool.group, []).append(tool_section(tool, types))
    loose = by_group.pop("", [])
    for name, sections in by_group.items():
        yield blocks(f"## {cell(name)}", *sections)
    yield section("## Other tools" if by_group else "## Tools", *loose)
