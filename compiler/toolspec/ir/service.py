"""Naming, authentication, instances and modes of a service."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.ir.schema import Schema


class Naming(StrEnum):
    """Scheme for the public names of a service's tools."""

    PREFIXED = "prefixed"
    AS_WRITTEN = "as-written"


class AuthKind(StrEnum):
    """Source of credentials."""

    NONE = "none"
    OAUTH2 = "oauth2"
    CUSTOM = "custom"


class Credentials(StrEnum):
    """Owner of the credentials that a call uses: each user, or all users together."""

    PER_USER = "perUser"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope of the service's authorization server."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A target that a service is configured for, with separate settings and credentials."""

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
