"""The tools of a service have names in different styles."""

from toolspec.rules.api import Diagnostics, Service, Severity, Tool, at_tools, declare, style_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "the tools of `{service}` have names in {count} styles: {styles}",
    "use the most common style, and keep the old names as aliases",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield one diagnostic, at the first tool that is not in the most common style."""
    tools: dict[str, list[Tool]] = {}
    for tool in service.tools:
        if style := style_of(tool.name):
            tools.setdefault(style, []).append(tool)
    if len(tools) <= 1:
        return
    styles = sorted(tools, key=lambda style: -len(tools[style]))
    yield at_tools(
        service,
        KIND,
        [tool for style in styles[1:] for tool in tools[style]],
        label=f"most are in {styles[0]}",
        more="and this",
        service=service.name,
        count=len(tools),
        styles=", ".join(f"{len(tools[style])} in {style}" for style in styles),
    )
