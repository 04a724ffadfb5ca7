"""Tools of a service declare one error code with different meanings."""

from toolspec.rules.api import Diagnostics, Label, Service, Severity, Tool, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{code}` is retryable for one tool of `{service}` and not for another",
    "give one of them another code",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each code that is declared with different values of `retryable`."""
    declared: dict[str, tuple[bool, Tool]] = {}
    for tool in service.tools:
        for at, error in enumerate(tool.errors):
            before, first = declared.setdefault(error.code, (error.retryable, tool))
            if before is not error.retryable:
                location, span = tool.location, name_span(first)
                yield KIND.at(
                    location.at("errors", at).span if location else None,
                    labels=(Label(span, "different here"),) if span else (),
                    code=error.code,
                    service=service.name,
                )
