"""Several tools have the same description."""

from toolspec.rules.api import Catalogue, Diagnostics, Label, Severity, ToolFacts, declare, listed

KIND = declare(
    __name__,
    Severity.WARNING,
    "{tools} have the same description",
    "say in each description how the tool differs from the others",
)
VISITS = Catalogue
LABELS = 5


def check(catalogue: Catalogue) -> Diagnostics:
    """Yield a diagnostic for each description that several tools share, at the second of them."""
    users: dict[str, dict[str, ToolFacts]] = {}
    for tool in catalogue.tools:
        # By name: versions of one tool are never offered beside each other.
        text = " ".join(tool.description.split()).casefold()
        users.setdefault(text, {}).setdefault(tool.full_name, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second, *more = tools.values()
            others = (catalogue.span(tool_facts) for tool_facts in (first, *more[: LABELS - 2]))
            yield KIND.at(
                catalogue.span(second),
                labels=(Label(span, "the same text") for span in others if span),
                subject=catalogue.subject(second),
                tools=listed(tools),
            )
