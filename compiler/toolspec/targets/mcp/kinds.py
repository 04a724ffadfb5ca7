"""What the MCP targets find."""

from toolspec.diagnostics import DiagnosticKind, Severity

BAD_HEADER = DiagnosticKind(
    "mcp/bad-header",
    Severity.ERROR,
    "`x-mcp-header` {problem}",
    "give a string, integer or boolean property that is reached through `properties` alone a header "
    "name of its own, made of letters, digits and `-`; or leave the keyword out",
    why=(
        "`x-mcp-header: Region` asks an MCP client to repeat an argument as the HTTP header "
        "`Mcp-Param-Region`, so that a gateway can route a call without reading its body. MCP "
        "2026-07-28 ties the keyword to rules that clients enforce: a tool that breaks one of them "
        "disappears from the client's list, without a word to anybody."
    ),
    example=(
        "inputSchema:\n"
        "  type: object\n"
        "  properties:\n"
        "    region: {type: string, x-mcp-header: My Region}\n"
    ),
)

KINDS = (BAD_HEADER,)
