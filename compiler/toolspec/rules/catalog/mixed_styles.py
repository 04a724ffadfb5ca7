"""Services of one build name their tools in different styles."""

from toolspec.rules.api import Diagnostics, ProjectFacts, Severity, Subject, declare, style_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{one}` names its tools in {style}, `{other}` in {another}",
    "use one style for all services, and keep the old names as aliases",
)
VISITS = ProjectFacts


def check(project: ProjectFacts) -> Diagnostics:
    """Yield one diagnostic, at the first service whose style differs from that of the first service."""
    first: tuple[str, str] | None = None
    for service in project.services:
        styles = {style_of(tool.name) for tool in service.tools} - {""}
        if len(styles) != 1:
            continue
        style = styles.pop()
        first = first or (service.name, style)
        if style != first[1]:
            yield KIND.at(
                project.span(service),
                subject=Subject(service.name),
                one=first[0],
                style=first[1],
                other=service.name,
                another=style,
            )
            return
