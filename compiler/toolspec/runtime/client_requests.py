"""Requests from a handler to the client: forms, pages, messages of its model, and roots."""

from __future__ import annotations

from contextlib import nullcontext

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.callbacks import ElicitResult, Root, SampleResult
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.failure import ApprovalPending, is_passing
from toolspec.runtime.values import NotJsonError, copied
from toolspec.shared.json_values import path_text
from toolspec.shared.secret_names import SECRET_NAMES

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Protocol

    from toolspec.runtime.callbacks import (
        Callbacks,
        FormRequest,
        RootsRequest,
        SampleRequest,
        UrlRequest,
    )
    from toolspec.runtime.failure import HasLog
    from toolspec.shared.json_values import JsonObject, JsonValue

    class AskingContext(HasLog, Protocol):
        """The part of a call's context that asks its client."""

        tool: str
        _callbacks: Callbacks | None

        @property
        def _watch(self) -> AbstractContextManager[None] | None: ...


MISSING_CAPABILITY = "missing_capability"
"""The code of the error for a client that lacks a capability; `details` names it."""
CLIENT_FAILED = "client_failed"
"""The code of the error for a client that refuses or fails to answer."""


async def ask_form(context: AskingContext, form: FormRequest) -> ElicitResult:
    """Return the response to a form, validated."""
    answer = await _elicited(context, "elicit", "elicitation.form", form)
    return checked_answer(answer, form.schema, context.tool)


async def ask_url(context: AskingContext, request: UrlRequest) -> ElicitResult:
    """Return the response to a page. Raises ValueError for an address that is not of the web."""
    if not request.url.startswith(("https://", "http://")):
        text = f"{request.url!r} is no address of a page: it begins with `https://`"
        raise ValueError(text)
    answer = await _elicited(context, "elicit_url", "elicitation.url", request)
    return checked_answer(answer, None, context.tool)


async def ask_sample(context: AskingContext, request: SampleRequest) -> SampleResult:
    """Return a message of the client's model."""
    answer = await _answer(context, "sample", "sampling", request)
    if not isinstance(answer, SampleResult):
        raise _wrong_type(answer, "a SampleResult")
    return answer


async def ask_roots(context: AskingContext, request: RootsRequest) -> tuple[Root, ...]:
    """Return the client's roots."""
    answer = await _answer(context, "roots", "roots", request)
    if not isinstance(answer, (list, tuple)) or not all(isinstance(root, Root) for root in answer):
        raise _wrong_type(answer, "a list of Root")
    return tuple(answer)


async def _elicited(context: AskingContext, name: str, capability: str, request: object) -> object:
    """Return the answer of a callback for the user; one that fails counts as `cancel`."""
    try:
        return await _answer(context, name, capability, request)
    except ToolError as error:
        if error.code != CLIENT_FAILED:
            raise
        return ElicitResult(action="cancel")


async def _answer(context: AskingContext, name: str, capability: str, request: object) -> object:
    """Return the answer of a callback. The idle timeout is paused meanwhile.

    Raises ToolError `unavailable` without the callback, or if it fails.
    """
    callback: Callable[[Any], object] | None = getattr(context._callbacks, name, None)  # noqa: SLF001 - internal field of the runtime
    if callback is None:
        message = f"`{context.tool}` needs a client with the capability `{capability}`"
        details = {"tool": context.tool, "capability": capability}
        raise ToolError.unavailable(
            message, code=MISSING_CAPABILITY, retryable=False, details=details
        )
    try:
        with context._watch or nullcontext():  # noqa: SLF001 - the same
            return await awaited(callback(request))
    except (ToolError, ApprovalPending):
        raise
    except BaseException as problem:
        if is_passing(problem):
            raise
        context.log.exception("the callback `%s` of the client failed", name)
        message = f"the client did not answer `{capability}`"
        raise ToolError.unavailable(message, code=CLIENT_FAILED, retryable=False) from None


def _wrong_type(answer: object, expected: str) -> TypeError:
    return TypeError(f"the callback returned {answer!r} instead of {expected}")


_COMMON = frozenset(("type", "title", "description", "default"))
_KEYWORDS = {
    "string": _COMMON | {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": _COMMON | {"minimum", "maximum"},
    "integer": _COMMON | {"minimum", "maximum"},
    "boolean": _COMMON,
    "array": _COMMON | {"items", "minItems", "maxItems"},
}
"""The keywords of a field by its type."""
_FORMATS = ("email", "uri", "date", "date-time")


def checked_messages(messages: str | Sequence[Mapping[str, object]]) -> tuple[JsonObject, ...]:
    """Return copies of the messages; a string is one of the user.

    Raises ValueError for anything but `{"role": …, "content": {"type": …}}` in JSON.
    """
    if isinstance(messages, str):
        return ({"role": "user", "content": {"type": "text", "text": messages}},)
    checked = [copied(message) for message in messages]
    for index, message in enumerate(checked):
        content = message.get("content") if isinstance(message, dict) else None
        is_known = isinstance(message, dict) and message.get("role") in ("user", "assistant")
        if not is_known or not isinstance(content, dict) or "type" not in content:
            text = f"message {index} has no `role` (user, assistant) or no `content` with a `type`"
            raise ValueError(text)
    return tuple(message for message in checked if isinstance(message, dict))


def checked_form(schema: Mapping[str, object]) -> JsonObject:
    """Return a copy of the schema of a form.

    Raises ValueError listing every problem: MCP allows an object of strings, numbers, booleans and
    choices, without secrets.
    """
    try:
        form = copied(schema)
    except NotJsonError as problem:
        text = f"the schema of the form is not JSON: {problem.path}: {problem.reason}"
        raise ValueError(text) from None
    assert isinstance(form, dict)
    properties = form.get("properties")
    if form.get("type") != "object" or not isinstance(properties, dict):
        text = "the schema of a form is an object with `type: object` and `properties`"
        raise ValueError(text)
    unknown = form.keys() - {"$schema", "type", "properties", "required"}
    problems = [f"`{name}` is not allowed beside `properties`" for name in sorted(unknown)]
    required = form.get("required", [])
    missing = (
        [name for name in required if name not in properties]
        if isinstance(required, list)
        else [required]
    )
    problems += [f"`required` names {name!r}, which is not a field" for name in missing]
    for name, field in properties.items():
        problems += [f"`{name}`: {problem}" for problem in _field_problems(name, field)]
    if problems:
        text = f"invalid form: {'; '.join(problems)}"
        raise ValueError(text)
    return form


def _field_problems(name: str, field: JsonValue) -> list[str]:
    if not isinstance(field, dict):
        return ["a field is an object"]
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _KEYWORDS:
        return [f"`type` is one of {', '.join(_KEYWORDS)}"]
    if _is_secret(name, field):
        return ["forms must not ask for secrets; use `ctx.elicit_url`"]
    problems = [
        f"`{keyword}` is not allowed for `{kind}`"
        for keyword in sorted(field.keys() - _KEYWORDS[kind])
    ]
    if "format" in field and field["format"] not in _FORMATS:
        problems.append(f"`format` is one of {', '.join(_FORMATS)}")
    if kind == "array":
        items = field.get("items")
        if not isinstance(items, dict) or not ("enum" in items or "anyOf" in items):
            problems.append("the items of an array are a choice: `enum`, or `anyOf` with titles")
    return problems


def _is_secret(name: str, field: JsonObject) -> bool:
    if field.get("writeOnly") is True or field.get("format") == "password":
        return True
    joined = "".join(filter(str.isalnum, name)).lower()
    return field.get("type") == "string" and joined.endswith(SECRET_NAMES)


def checked_answer(answer: object, schema: JsonObject | None, tool: str) -> ElicitResult:
    """Return the answer to a form, with its content validated; None is the schema of a page.

    Raises ToolError `validation`, code `invalid_answer`, for content that violates the schema, and
    TypeError for anything but an ElicitResult.
    """
    if not isinstance(answer, ElicitResult) or answer.action not in _ACTIONS:
        raise _wrong_type(answer, "an ElicitResult")
    if answer.action != "accept" or schema is None:
        return ElicitResult(action=answer.action, content={})
    fields: Any = schema["properties"]
    # Some clients send null for a field that was left empty.
    content = copied(
        {name: item for name, item in answer.content.items() if name in fields and item is not None}
    )
    errors = _errors(schema, content)
    if errors:
        message = f"the answer to the form of `{tool}` is invalid: " + "; ".join(
            f"{error.path}: {error.message}" for error in errors
        )
        raise ToolError.validation(message, code="invalid_answer", field_errors=errors)
    assert isinstance(content, dict)
    return ElicitResult(action="accept", content=content)


_ACTIONS = ("accept", "decline", "cancel")


def _errors(schema: JsonObject, content: JsonValue) -> tuple[FieldError, ...]:
    import json

    from toolspec.shared.validator import compiled

    if compiled(json.dumps(schema), formats=True)(content):
        return ()
    from toolspec.shared.explanation import Explainer

    return tuple(
        FieldError(path=path_text(error.member_path), code=error.keyword, message=error.message)
        for error in Explainer(schema, formats=True, is_masked=True).errors(content)
    )
