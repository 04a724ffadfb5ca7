"""Terminal prompt of `toolspec call`: shows a call and reads yes or no.

It is an approver of `runtime/controls/approval.py` and of clients.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.runtime.call_options import Permission, Question
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.syntax.nodes import JsonObject, JsonValue


class TerminalApprover:
    """Approves one call by a person; with `always` every question is answered with yes."""

    def __init__(self, always: bool, tool: ToolDefinition) -> None:
        self._always = always
        self._tool = tool
        self._is_approved = False
        self._lacked_terminal = False

    def approve_call(self, arguments: JsonValue) -> None:
        """Return if the call may run; else raise ToolError `permission`.

        The question is asked before the call: during it, Ctrl-C would have to wait for the answer.
        """
        from toolspec.runtime.controls.policy import needs_decision, permissions_of
        from toolspec.runtime.errors import ToolError

        if self._always or not needs_decision(self._tool, None):
            return
        name = self._tool.full_name
        if not has_terminal():
            raise _no_approver(name)
        permissions = permissions_of(self._tool)
        if not confirmed(f"Call {name}?", self._description(permissions, arguments)):
            message = f"`{name}` needs approval, and the approver declined"
            raise ToolError.permission(message, code="refused")
        self._is_approved = True

    def __call__(self, question: Question) -> bool:
        """Answer a question during the call, with the earlier approval if that covers it."""
        if self._always:
            return True
        permissions = question.permissions
        subjects = (
            (permission.kind, permission.resource, permission.operation)
            for permission in permissions
        )
        is_covered = all(subject in self._tool.permissions for subject in subjects)
        if self._is_approved and is_covered and not question.reason:
            return True
        name = self._tool.full_name
        if question.reason:
            # A server of 2026-07-28 puts everything into its reason, line by line.
            reason, *more = question.reason.split("\n")
            heading, lines = f"{name}: {reason}", (*more, *_uses(permissions), "Allow it?")
        else:
            heading, lines = f"Call {name}?", self._description(permissions, question.arguments)
        if not has_terminal():
            self._lacked_terminal = True
            return False
        return confirmed(heading, lines)

    def corrected(self, error: ToolError) -> ToolError:
        """Return an error for the terminal: without a terminal, no person has declined."""
        if not self._lacked_terminal or error.code != "refused":
            return error
        kind, resource = error.details.get("kind"), error.details.get("resource")
        permission = f" for `{kind}:{resource}`" if resource else ""
        denial = _no_approver(self._tool.full_name, permission, error.details)
        return denial.sent(error.request_id, retryable=False)

    def _description(
        self, permissions: tuple[Permission, ...], arguments: JsonValue
    ) -> tuple[str, ...]:
        from toolspec.shared.secret_values import masked

        mode = self._tool.mode
        return (
            self._tool.summary,
            f"Mode {mode}: nothing real is changed." if mode else "",
            "Its effects may be irreversible." if self._tool.destructive else "",
            *_uses(permissions),
            *_argument_lines(masked(self._tool.arguments_schema, arguments)),
        )


def _no_approver(
    name: str, permission: str = "", details: dict[str, object] | None = None
) -> ToolError:
    from toolspec.runtime.errors import ToolError

    return ToolError.permission(
        f"`{name}` needs approval{permission}, and no approver is configured",
        code="approval_required",
        details={**(details or {}), "hint": "allow it with --yes"},
    )


def _uses(permissions: tuple[Permission, ...]) -> tuple[str, ...]:
    return tuple(
        f"It uses {permission.kind} {permission.resource}"
        f"{f' ({permission.operation})' if permission.operation else ''}."
        for permission in permissions
    )


def _argument_lines(arguments: JsonValue) -> tuple[str, ...]:
    """Return a line for each argument, so that a long one does not hide others."""
    members: JsonObject = arguments if isinstance(arguments, dict) else {"": arguments}
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in members.items()}
    return ("Arguments:", *(f"  {name}: {text}" for name, text in texts.items()))


def has_terminal() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmed(heading: str, lines: tuple[str, ...]) -> bool:
    """Print a question with its details, and return whether the answer is yes."""
    from toolspec.sinks.terminal import printable

    for line in (heading, *(f"  {line}" for line in lines if line)):
        print(printable(line), file=sys.stderr)
    print("[y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
