"""No dump is too odd: an import ends in a document or in an error, and never in an exception."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.importers.mcp_tools import import_tools
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonValue

WORDS = st.sampled_from(
    ["git", "git_status", "a.b", "", " ", "x\ny", "forbidden", "object", "1.0.0"]
)
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | WORDS
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            WORDS | st.sampled_from(["type", "src", "taskSupport"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
MEMBERS = st.sampled_from(
    [
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "execution",
        "title",
        "icons",
        "_meta",
    ]
)
HINTS = st.dictionaries(
    st.sampled_from(
        ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
    ),
    LEAVES,
)
TOOLS = st.builds(
    lambda name, members, hints: {"name": name, **members, "annotations": hints},
    WORDS,
    st.dictionaries(MEMBERS, VALUES),
    HINTS | VALUES,
)
DUMPS = st.fixed_dictionaries(
    {"tools": st.lists(TOOLS | VALUES, max_size=4)},
    optional={
        "serverInfo": VALUES
        | st.dictionaries(st.sampled_from(["name", "version", "title", "icons"]), VALUES),
        "server": VALUES,
        "instructions": VALUES,
        "protocolVersion": VALUES,
        "nextCursor": VALUES,
    },
)


@given(DUMPS | VALUES)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_any_dump_ends_in_a_document_or_in_an_error(dump: JsonValue) -> None:
    document = parse("dump.json", json.dumps(dump).encode()).value
    assert document is not None
    imported = import_tools(document)
    if imported.value is None:
        assert not imported.ok
        return
    read = parse("spec.yaml", imported.value.text.encode())
    assert read.ok
    assert read.value is not None
    assert json.dumps(read.value.value) == json.dumps(imported.value.value)
