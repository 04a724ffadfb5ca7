"""Base of the provider targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.targets.provider_kinds import KINDS
from toolspec.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.target import Emission, EmitContext


@dataclass(frozen=True, slots=True)
class Provider:
    """Declaration of a provider target. `name` is that of the target and of its profile.

    `entry` returns the definition of one tool, `listing` the value for the API from all of them.
    """

    name: str
    entry: Callable[[Tool, LoweredTool], JsonObject]
    listing: Callable[[list[JsonValue]], JsonValue] = lambda entries: entries

    def target(self, summary: str) -> Target:
        """Return the target that emits tool list, ledger and decode map for each service."""
        return Target(
            name=self.name,
            summary=f"{summary}, as <service>/{self.name}.json",
            emit_service=self._emit_service,
            check_service=self._check_service,
            definition=self._definition,
            kinds=KINDS,
        )

    def _emit_service(self, service: Service, context: EmitContext) -> Emission:
        from toolspec.targets.provider_files import emit_service

        return emit_service(self, service, context)

    def _check_service(self, service: Service, context: EmitContext) -> Iterable[Diagnostic]:
        from toolspec.targets.provider_plan import check_service

        return check_service(self.name, service, context)

    def _definition(self, tool: Tool, context: EmitContext) -> JsonObject | None:
        from toolspec.targets.provider_plan import profile_of

        lowered = context.lowered_tools.lowered(tool, profile_of(self.name))
        return None if lowered.refusals else self.entry(tool, lowered)


def stated(members: JsonObject) -> JsonObject:
    """Return the members without None, empty texts and empty lists, which providers refuse."""
    return {key: value for key, value in members.items() if value not in (None, "", [])}


def output_schema(tool: Tool) -> JsonValue:
    """Return the schema of a tool's results; None where they may be anything, or are not JSON."""
    bundle = tool.output.bundle
    is_json = tool.output_content_type == "application/json"
    return bundle if isinstance(bundle, dict) and is_json else None
