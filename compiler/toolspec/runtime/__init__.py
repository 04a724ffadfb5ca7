"""Public runtime API of generated registries and clients.

Names are imported lazily: importing a package of a thousand tools must take milliseconds, and most
processes use only a few of these names.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.bind import bind_service
    from toolspec.runtime.client.portal import Portal
    from toolspec.runtime.client.retries import Retries
    from toolspec.runtime.client.service import ServiceClient
    from toolspec.runtime.client.sync import SyncServiceClient
    from toolspec.runtime.context import Context, Progress
    from toolspec.runtime.controls.access import Caller
    from toolspec.runtime.controls.approval import Approval, ApprovalPending, Question, approve
    from toolspec.runtime.controls.limits import Limits, Rate
    from toolspec.runtime.controls.policy import Permission, Policy, PolicySource, Rule
    from toolspec.runtime.definition import (
        ConfigurationSchemas,
        ServiceDefinition,
        ToolDefinition,
        ToolSchemas,
    )
    from toolspec.runtime.errors import (
        BindError,
        FieldError,
        RuntimeVersionError,
        ToolError,
        not_implemented,
    )
    from toolspec.runtime.handshake import require_runtime
    from toolspec.runtime.hooks import Call, Failure, Next, Outcome
    from toolspec.runtime.oauth import OAuth
    from toolspec.runtime.registry import Registry, merge
    from toolspec.runtime.transport import Transport

__all__ = [
    "Approval",
    "ApprovalPending",
    "BindError",
    "Call",
    "Caller",
    "ConfigurationSchemas",
    "Context",
    "Failure",
    "FieldError",
    "Limits",
    "Next",
    "OAuth",
    "Outcome",
    "Permission",
    "Policy",
    "PolicySource",
    "Portal",
    "Progress",
    "Question",
    "Rate",
    "Registry",
    "Retries",
    "Rule",
    "RuntimeVersionError",
    "ServiceClient",
    "ServiceDefinition",
    "SyncServiceClient",
    "ToolDefinition",
    "ToolError",
    "ToolSchemas",
    "Transport",
    "approve",
    "bind_service",
    "merge",
    "not_implemented",
    "require_runtime",
]

_HOME = {
    "Approval": "controls.approval",
    "BindError": "errors",
    "Call": "hooks",
    "Caller": "controls.access",
    "ConfigurationSchemas": "definition",
    "Context": "context",
    "Failure": "hooks",
    "FieldError": "errors",
    "Limits": "controls.limits",
    "Next": "hooks",
    "OAuth": "oauth",
    "Outcome": "hooks",
    "ApprovalPending": "controls.approval",
    "Permission": "controls.policy",
    "Policy": "controls.policy",
    "PolicySource": "controls.policy",
    "Portal": "client.portal",
    "Progress": "context",
    "Question": "controls.approval",
    "Rate": "controls.limits",
    "Registry": "registry",
    "ToolSchemas": "definition",
    "Retries": "client.retries",
    "Rule": "controls.policy",
    "RuntimeVersionError": "errors",
    "ServiceClient": "client.service",
    "ServiceDefinition": "definition",
    "SyncServiceClient": "client.sync",
    "ToolDefinition": "definition",
    "ToolError": "errors",
    "Transport": "transport",
    "approve": "controls.approval",
    "bind_service": "bind",
    "merge": "registry",
    "not_implemented": "errors",
    "require_runtime": "handshake",
}


def __getattr__(name: str) -> object:
    """Return the public name, importing its module. Raises AttributeError for other names."""
    home = _HOME.get(name)
    if home is None:
        problem = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(problem)
    module = f"{__name__}.{home}"
    value: object = getattr(__import__(module, fromlist=[name]), name)
    globals()[name] = value
    return value
