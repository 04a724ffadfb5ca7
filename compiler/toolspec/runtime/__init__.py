"""Public runtime API of generated registries and clients.

Names are imported lazily: importing a package of a thousand tools must take milliseconds, and most
processes use only a few of these names.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.bind import bind_service
    from toolspec.runtime.call import Call, Failure, Next, Outcome
    from toolspec.runtime.call_options import Approval, Permission, Question
    from toolspec.runtime.callbacks import (
        ClientCallbacks,
        ElicitResult,
        FormRequest,
        LogMessage,
        Root,
        RootsRequest,
        SampleRequest,
        SampleResult,
        UrlRequest,
    )
    from toolspec.runtime.client.portal import Portal
    from toolspec.runtime.client.retries import Retries
    from toolspec.runtime.client.service import ServiceClient
    from toolspec.runtime.client.sync import SyncServiceClient
    from toolspec.runtime.client.transport import Transport
    from toolspec.runtime.context import Context
    from toolspec.runtime.controls.access import Caller
    from toolspec.runtime.controls.approval import approve
    from toolspec.runtime.controls.limits import Limits, Rate
    from toolspec.runtime.controls.policy import Policy, PolicySource, Rule
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
    from toolspec.runtime.failure import ApprovalPending
    from toolspec.runtime.handshake import require_runtime
    from toolspec.runtime.oauth import OAuth
    from toolspec.runtime.progress import Progress
    from toolspec.runtime.registry import Registry, merge
    from toolspec.runtime.request import Request

__all__ = [
    "Approval",
    "ApprovalPending",
    "BindError",
    "Call",
    "Caller",
    "ClientCallbacks",
    "ConfigurationSchemas",
    "Context",
    "ElicitResult",
    "Failure",
    "FieldError",
    "FormRequest",
    "Limits",
    "LogMessage",
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
    "Request",
    "Retries",
    "Root",
    "RootsRequest",
    "Rule",
    "RuntimeVersionError",
    "SampleRequest",
    "SampleResult",
    "ServiceClient",
    "ServiceDefinition",
    "SyncServiceClient",
    "ToolDefinition",
    "ToolError",
    "ToolSchemas",
    "Transport",
    "UrlRequest",
    "approve",
    "bind_service",
    "merge",
    "not_implemented",
    "require_runtime",
]

_HOME = {
    "Approval": "call_options",
    "ApprovalPending": "failure",
    "BindError": "errors",
    "Call": "call",
    "Caller": "controls.access",
    "ClientCallbacks": "callbacks",
    "ConfigurationSchemas": "definition",
    "Context": "context",
    "ElicitResult": "callbacks",
    "Failure": "call",
    "FieldError": "errors",
    "FormRequest": "callbacks",
    "Limits": "controls.limits",
    "LogMessage": "callbacks",
    "Next": "call",
    "OAuth": "oauth",
    "Outcome": "call",
    "Permission": "call_options",
    "Policy": "controls.policy",
    "PolicySource": "controls.policy",
    "Portal": "client.portal",
    "Progress": "progress",
    "Question": "call_options",
    "Rate": "controls.limits",
    "Registry": "registry",
    "Request": "request",
    "Retries": "client.retries",
    "Root": "callbacks",
    "RootsRequest": "callbacks",
    "Rule": "controls.policy",
    "RuntimeVersionError": "errors",
    "SampleRequest": "callbacks",
    "SampleResult": "callbacks",
    "ServiceClient": "client.service",
    "ServiceDefinition": "definition",
    "SyncServiceClient": "client.sync",
    "ToolDefinition": "definition",
    "ToolError": "errors",
    "ToolSchemas": "definition",
    "Transport": "client.transport",
    "UrlRequest": "callbacks",
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
