"""Diagnostic kinds of the MCP targets."""

from toolspec.diagnostics import DiagnosticKind, Severity

BAD_HEADER = DiagnosticKind(
    "mcp/bad-header",
    Severity.ERROR,
    "`x-mcp-header` {problem}",
    "use it on a string, integer or boolean property that is reachable through `properties` alone, "
    "with a unique header name of letters, digits and `-`; or remove the keyword",
    why=(
        "`x-mcp-header: Region` asks an MCP client to repeat an argument as the HTTP header "
        "`Mcp-Param-Region`, so that a gateway can route a call without reading its body. MCP "
        "2026-07-28 ties the keyword to rules that clients enforce: a tool that breaks one of them "
        "silently disappears from the client's list."
    ),
    example=(
        "inputSchema:\n"
        "  type: object\n"
        "  properties:\n"
        "    region: {type: string, x-mcp-header: My Region}\n"
    ),
)

REPEATED_DEFINITIONS = DiagnosticKind(
    "target/repeated-definitions",
    Severity.NOTE,
    "`{target}` repeats definitions of `{service}` in each tool that reaches them",
    "{copies} copies of {count} definitions add {size} MB to the manifest: "
    "return ids in place of whole objects, or split the service",
    why=(
        "MCP has no member for a definition that several tools share: each schema in the answer to "
        "`tools/list` has to be self-contained. A manifest that repeats more than 1 MB has this note, because a "
        "client reads all of it before its first call. Python, the catalog and the docs write each "
        "definition once."
    ),
    example=(
        "# 400 tools that each reach 400 definitions of 1 KB: 160 MB\ntargets: [mcp-2026-07-28]\n"
    ),
)

KINDS = (BAD_HEADER, REPEATED_DEFINITIONS)
