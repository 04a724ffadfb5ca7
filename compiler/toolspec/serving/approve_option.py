"""The option `--approve`: its mode for each risk tier, as the default policy of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.runtime.controls.policy import Policy
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.policy import Mode
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.options import Options

_WRITES, _DESTROYS = 2, 3
"""Risk tiers that need approval."""


@dataclass(frozen=True, slots=True)
class ApprovalModes:
    """The mode of each risk tier that needs approval.

    `ask`: this server asks. `auto`: calls run. `host`: calls run, because hosts of MCP ask their
    users, but tools whose author calls them destructive ask here.
    """

    writes: str
    destroys: str

    def __str__(self) -> str:
        if self.writes == self.destroys:
            return self.writes
        return f"{self.writes} for risk tier {_WRITES}, {self.destroys} for {_DESTROYS}"

    def default(self, tool: ToolDefinition) -> Mode:
        """Return the mode of a call for which no rule decides."""
        if tool.risk < _WRITES:
            return "auto"
        mode = self.writes if tool.risk == _WRITES else self.destroys
        is_stated = tool.risk >= _DESTROYS and not tool.assumed_destructive
        return "ask" if mode == "ask" or (mode == "host" and is_stated) else "auto"


def approval_modes(options: Options, controls: Controls) -> ApprovalModes:
    """Return the modes of a server: of its command line, its configuration, or the default.

    The default is `host` on stdio and for authenticated callers, `ask` for anonymous ones.
    """
    has_callers = options.verifier or controls.authenticator is not None
    usual = "host" if options.transport == "stdio" or has_callers else "ask"
    writes, destroys = (options.approve or tier or usual for tier in options.approve_tiers)
    return ApprovalModes(writes, destroys)


def with_approvals(options: Options, served: ServedTools) -> ServedTools:
    """Return the tools with the server's modes for calls that no rule of the registry decides."""
    controls = served.registry.controls
    own = controls.policy or Policy()
    default = own.default or approval_modes(options, controls).default
    policy = Policy(sources=own.sources, default=default)
    return replace(served, registry=served.registry.with_controls(policy=policy))
