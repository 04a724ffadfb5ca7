"""Intermediate representation of services, independent of file formats and target languages.

All values are frozen. `location` fields lead to the source text and take no part in equality. Derived
values (hints, risk, wire arguments, chunk) are filled in by the front end; a target derives
nothing.
"""

from toolspec.ir.http import (
    CredentialPlace,
    HttpArgument,
    HttpBinding,
    HttpBody,
    HttpCredential,
    HttpNulls,
    HttpPlace,
    HttpSecurity,
    HttpStyle,
)
from toolspec.ir.names import ServiceNames, ToolNames
from toolspec.ir.program import Definition, Program, Service
from toolspec.ir.schema import LateSchema, Schema
from toolspec.ir.service import Auth, AuthKind, Credentials, Instance, Mode, Naming, Scope
from toolspec.ir.tool import (
    DEFAULT_ICON,
    Annotations,
    CallLimits,
    DeclaredError,
    Deprecation,
    Effect,
    Example,
    Formats,
    Hooks,
    Icon,
    Idempotency,
    InputForm,
    Permission,
    PermissionKind,
    Provenance,
    Reduction,
    Risk,
    ScopeRule,
    TaskSupport,
    Timeout,
    Tool,
)

__all__ = [
    "DEFAULT_ICON",
    "Annotations",
    "Auth",
    "AuthKind",
    "CallLimits",
    "CredentialPlace",
    "Credentials",
    "DeclaredError",
    "Definition",
    "Deprecation",
    "Effect",
    "Example",
    "Formats",
    "Hooks",
    "HttpArgument",
    "HttpBinding",
    "HttpBody",
    "HttpCredential",
    "HttpNulls",
    "HttpPlace",
    "HttpSecurity",
    "HttpStyle",
    "Icon",
    "Idempotency",
    "InputForm",
    "Instance",
    "LateSchema",
    "Mode",
    "Naming",
    "Permission",
    "PermissionKind",
    "Program",
    "Provenance",
    "Reduction",
    "Risk",
    "Schema",
    "Scope",
    "ScopeRule",
    "Service",
    "ServiceNames",
    "TaskSupport",
    "Timeout",
    "Tool",
    "ToolNames",
]
