"""How a service names its tools, and how it signs its callers in."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.ir.schema import Schema
    from toolspec.syntax.nodes import JsonObject


class Naming(StrEnum):
    """How the public names of a service's tools are made."""

    PREFIXED = "prefixed"
    AS_WRITTEN = "as-written"


class AuthKind(StrEnum):
    """How credentials come about."""

    NONE = "none"
    OAUTH2 = "oauth2"
    CUSTOM = "custom"


class Credentials(StrEnum):
    """Whose credentials a call uses."""

    PER_USER = "perUser"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope that the service's authorization server knows."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A target that a service is configured for, with settings and credentials of its own."""

    name: str
    title: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode in which nothing real is changed; the live mode has no name and is not declared."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Auth:
    """A service's authentication; `fields` is the object schema of custom credentials."""

    kind: AuthKind = AuthKind.NONE
    credentials: Credentials = Credentials.PER_USER
    authorization_url: str = ""
    token_url: str = ""
    scopes: tuple[Scope, ...] = ()
    authorize_parameters: tuple[tuple[str, str], ...] = ()
    token_response: tuple[tuple[str, str], ...] = ()
    fields: Schema | None = None
    extensions: JsonObject = field(default_factory=dict)
