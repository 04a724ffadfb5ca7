"""Binds a service's members: name, authentication, defaults of its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend.bind.parts import (
    bind_hooks,
    bind_icons,
    bind_permissions,
    bind_scopes,
    bind_timeout,
    title,
)
from toolspec.ir import (
    Auth,
    AuthKind,
    Credentials,
    Instance,
    Mode,
    Naming,
    Scope,
    Service,
    ServiceNames,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.frontend.fields import Fields
    from toolspec.ir import Definition, Tool
    from toolspec.syntax.nodes import JsonObject

DEFAULT_VERSION = "0.1.0"


# Fields of a Service without a meaning if a member of the document is broken.
_DERIVED = {
    "name": ("name", "names"),
    "names": ("naming",),
    **dict.fromkeys(("middleware", "before", "after", "afterResponse"), ("hooks",)),
}


def without_meaning(broken: Iterable[str], *, is_named: bool) -> frozenset[str]:
    """Return the fields of a Service that have no meaning because of broken members.

    A service with a name, even an invalid one, keeps its names.
    """
    fields = {field for member in broken for field in _DERIVED.get(member, (member,))}
    return frozenset(fields - {"names"} if is_named else fields)


def bind_service(  # noqa: PLR0913 - the parts of a service, each bound by itself
    fields: Fields,
    name: str,
    *,
    auth: Auth,
    definitions: tuple[Definition, ...],
    tools: tuple[Tool, ...],
    root_extensions: JsonObject,
    broken: frozenset[str] = frozenset(),
) -> Service:
    """Return the service with the `x-*` members of the document's root; its members win."""
    return Service(
        name=name,
        naming=Naming(fields.text("names", Naming.PREFIXED)),
        names=ServiceNames(module="", class_stem=""),
        version=fields.text("version", DEFAULT_VERSION),
        title=fields.text("title") or title(name),
        description=fields.text("description"),
        tools=tools,
        definitions=definitions,
        instructions=fields.text("instructions"),
        category=fields.text("category"),
        icons=bind_icons(fields),
        settings=fields.schema("settings"),
        auth=auth,
        instances=tuple(
            Instance(name, entry.text("title"), entry.text("description"))
            for name, entry in _named(fields, "instances")
        ),
        modes=tuple(
            Mode(name, entry.text("description")) for name, entry in _named(fields, "modes")
        ),
        scopes=bind_scopes(fields),
        permissions=bind_permissions(fields),
        timeout=bind_timeout(fields),
        hooks=bind_hooks(fields),
        extensions=root_extensions | fields.all_extensions,
        location=fields.location,
        broken=broken,
    )


def _named(fields: Fields, key: str) -> Iterator[tuple[str, Fields]]:
    """Yield the entries of a map with their names, in document order."""
    entries = fields.within(key)
    for name in entries.value if entries else ():
        entry = entries.within(name) if entries else None
        if entry is not None and not name.startswith("x-"):
            yield name, entry


def bind_auth(fields: Fields | None) -> Auth:
    """Return the authentication of callers; none if nothing is declared."""
    if fields is None:
        return Auth()
    return Auth(
        kind=AuthKind(fields.text("type")),
        credentials=Credentials(fields.text("credentials", Credentials.PER_USER)),
        authorization_url=fields.text("authorizationUrl"),
        token_url=fields.text("tokenUrl"),
        scopes=tuple(Scope(*pair) for pair in fields.pairs("scopes")),
        authorize_parameters=fields.pairs("authorizeParameters"),
        token_response=fields.pairs("tokenResponse"),
        fields=fields.schema("fields"),
    )
