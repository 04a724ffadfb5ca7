"""The page of one service, ready for its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, Credentials
from toolspec.sinks.markdown import cell, code, text
from toolspec.targets.docs.calling import Calling, calling
from toolspec.targets.docs.paths import INDEX, link
from toolspec.targets.docs.safety_lists import SafetyList, badges, safety_lists
from toolspec.targets.docs.schema_table import SchemaTable, schema_table
from toolspec.targets.docs.tool_section import ToolSection, tool_section

if TYPE_CHECKING:
    from toolspec.ir import Auth, Service, Tool


@dataclass(frozen=True, slots=True)
class Group:
    """A heading and the tools under it."""

    title: str
    tools: tuple[ToolSection, ...]


@dataclass(frozen=True, slots=True)
class SignIn:
    """How callers sign in: sentences, and tables where there is something to list."""

    sentences: tuple[str, ...]
    scopes: tuple[tuple[str, str], ...]
    fields: SchemaTable | None


@dataclass(frozen=True, slots=True)
class ServicePage:
    """Everything on a service's page; an empty text or tuple leaves its section out."""

    title: str
    facts: str
    index: str
    description: str
    instructions: str
    overview: tuple[tuple[str, str, str], ...]
    calling: Calling
    settings: SchemaTable | None
    sign_in: SignIn | None
    errors: tuple[tuple[str, str, str, str], ...]
    safety: tuple[SafetyList, ...]
    groups: tuple[Group, ...]


def service_page(service: Service, package: str) -> ServicePage:
    """Return the page of a service, whose generated code is imported from a package."""
    return ServicePage(
        title=cell(service.title) or code(service.name),
        facts=_facts(service),
        index=INDEX,
        description=text(service.description),
        instructions=text(service.instructions),
        overview=tuple((link(t), badges(t), cell(t.summary or t.title)) for t in service.tools),
        calling=calling(service, package),
        settings=schema_table(service.settings.bundle) if service.settings else None,
        sign_in=_sign_in(service.auth),
        errors=_errors(service),
        safety=safety_lists(service.tools, link),
        groups=_groups(service),
    )


def _facts(service: Service) -> str:
    count = len(service.tools)
    facts = [
        f"Service {code(service.name)}",
        f"version {code(service.version)}",
        cell(service.category),
        f"{count} tool{'' if count == 1 else 's'}",
    ]
    return " · ".join(filter(None, facts))


def _sign_in(auth: Auth) -> SignIn | None:
    if auth.kind is AuthKind.NONE:
        return None
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
    return SignIn(
        sentences=(how, whose, *filter(None, places)),
        scopes=tuple((code(each.name), cell(each.description)) for each in auth.scopes),
        fields=schema_table(auth.fields.bundle) if auth.fields else None,
    )


def _errors(service: Service) -> tuple[tuple[str, str, str, str], ...]:
    """Return every error that some tool declares, in order of first appearance."""
    by_meaning: dict[tuple[str, str, bool], list[Tool]] = {}
    for tool in service.tools:
        for error in tool.errors:
            key = (error.code, error.description, error.retryable)
            by_meaning.setdefault(key, []).append(tool)
    return tuple(
        (code(name), cell(about), "yes" if retryable else "no", ", ".join(map(link, tools)))
        for (name, about, retryable), tools in by_meaning.items()
    )


def _groups(service: Service) -> tuple[Group, ...]:
    """Return the tools by group in order of first appearance; those of no group come last."""
    by_group: dict[str, list[ToolSection]] = {}
    for tool in service.tools:
        by_group.setdefault(tool.group, []).append(tool_section(tool))
    loose = by_group.pop("", [])
    groups = [Group(cell(name), tuple(tools)) for name, tools in by_group.items()]
    if loose:
        groups.append(Group("Other tools" if groups else "Tools", tuple(loose)))
    return tuple(groups)
