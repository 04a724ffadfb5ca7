"""One error code of a service has two meanings."""

from toolspec.rules.api import Diagnostics, Label, Service, Severity, Tool, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{code}` may be retried after one tool of `{service}` and not after another",
    "give one of them a code of its own",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each code that is declared with another `retryable` than before."""
    known: dict[str, tuple[bool, Tool]] = {}
    for tool in service.tools:
        for at, error in enumerate(tool.errors):
            before, first = known.setdefault(error.code, (error.retryable, tool))
            if before is not error.retryable:
                place, span = tool.place, name_span(first)
                yield KIND.at(
                    place.at("errors", at).span if place else None,
                    labels=(Label(span, "otherwise here"),) if span else (),
                    code=error.code,
                    service=service.name,
                )
