"""Statuses of HTTP as errors of tools."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.shared.error_categories import Category

STATUSES: dict[int, tuple[str, Category]] = {
    400: ("bad_request", "validation"),
    401: ("unauthorized", "auth"),
    402: ("payment_required", "permission"),
    403: ("forbidden", "permission"),
    404: ("not_found", "not_found"),
    405: ("method_not_allowed", "validation"),
    406: ("not_acceptable", "validation"),
    408: ("request_timeout", "timeout"),
    409: ("conflict", "conflict"),
    410: ("gone", "not_found"),
    412: ("precondition_failed", "conflict"),
    413: ("content_too_large", "validation"),
    415: ("unsupported_media_type", "validation"),
    422: ("unprocessable_content", "validation"),
    423: ("locked", "conflict"),
    424: ("failed_dependency", "conflict"),
    425: ("too_early", "unavailable"),
    428: ("precondition_required", "conflict"),
    429: ("too_many_requests", "rate_limit"),
    451: ("unavailable_for_legal_reasons", "permission"),
    500: ("internal_server_error", "unavailable"),
    501: ("not_implemented", "validation"),
    502: ("bad_gateway", "unavailable"),
    503: ("service_unavailable", "unavailable"),
    504: ("gateway_timeout", "timeout"),
}
"""Name and category of a status; others are `http_418`, of category validation or unavailable."""
