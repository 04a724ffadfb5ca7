"""Terminal prompts of `toolspec call`: yes or no before a call, and forms during it."""

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
    """Approves one call; with `always` everything is allowed without a question."""

    def __init__(self, always: bool, tool: ToolDefinition) -> None:
        self._always = always
        self._tool = tool
        self._has_agreed = False
        self._is_missed = False

    def decide(self, arguments: JsonValue) -> None:
        """Return if the call may run; else raise ToolError `permission`.

        Asked before the call and not by it: there a Ctrl-C would have to wait for the answer.
        """
        from toolspec.runtime.controls.policy import decision_on_call, permissions_of
        from toolspec.runtime.errors import ToolError

        if self._always or decision_on_call(None, self._tool).mode == "auto":
            return
        name = self._tool.full_name
        if not _has_terminal():
            need = f"`{name}` changes something"
            raise _nobody(need, {})
        permissions = permissions_of(self._tool)
        if not _agreed(f"Call {name}?", self._about(permissions, arguments)):
            message = f"`{name}` was not allowed"
            raise ToolError.permission(message, code="refused")
        self._has_agreed = True

    def __call__(self, question: Question) -> bool:
        """Answer a question during the call, with the earlier approval if that covers it."""
        if self._always:
            return True
        permissions = question.permissions
        named = ((each.kind, each.resource, each.operation) for each in permissions)
        is_covered = all(each in self._tool.permissions for each in named)
        if self._has_agreed and is_covered and not question.reason:
            return True
        name = self._tool.full_name
        if question.reason:
            # A server of 2026-07-28 puts everything into its reason, line by line.
            reason, *more = question.reason.split("\n")
            heading, lines = f"{name}: {reason}", (*more, *_uses(permissions), "Allow it?")
        else:
            heading, lines = f"Call {name}?", self._about(permissions, question.arguments)
        if not _has_terminal():
            self._is_missed = True
            return False
        return _agreed(heading, lines)

    def told(self, error: ToolError) -> ToolError:
        """Return the error for the terminal: without a question, the person did not decline."""
        if not self._is_missed or error.code != "refused":
            return error
        kind, resource = error.details.get("kind"), error.details.get("resource")
        wish = f"a yes for `{kind}:{resource}`" if resource else "a yes on its way"
        missed = _nobody(f"`{self._tool.full_name}` needs {wish}", error.details)
        return missed.sent(error.request_id, retryable=False)

    def _about(self, permissions: tuple[Permission, ...], arguments: JsonValue) -> tuple[str, ...]:
        destroys = "It may destroy what cannot be brought back." if self._tool.destructive else ""
        mode = self._tool.mode
        told = f"In the mode {mode}: nothing real is changed." if mode else ""
        return (self._tool.summary, told, destroys, *_uses(permissions), *_told(arguments))


def _nobody(need: str, details: dict[str, object]) -> ToolError:
    from toolspec.runtime.errors import ToolError

    known = {**details, "hint": "allow it with --yes"}
    message = f"{need}, and there is nobody to ask"
    return ToolError.permission(message, code="approval_required", details=known)


def _uses(permissions: tuple[Permission, ...]) -> tuple[str, ...]:
    operations = (f" ({each.operation})" if each.operation else "" for each in permissions)
    return tuple(
        f"It uses {each.kind} {each.resource}{operation}."
        for each, operation in zip(permissions, operations, strict=True)
    )


def _told(arguments: JsonValue) -> tuple[str, ...]:
    """Return a line for each argument, so that a long one does not hide others."""
    members: JsonObject = arguments if isinstance(arguments, dict) else {"": arguments}
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in members.items()}
    return ("Arguments:", *(f"  {name}: {text}" for name, text in texts.items()))


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _agreed(heading: str, lines: tuple[str, ...]) -> bool:
    from toolspec.sinks.terminal import printable

    for line in (heading, *(f"  {each}" for each in lines if each)):
        print(printable(line), file=sys.stderr)
    print("[y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
