"""The five systems come over: from the files in which each keeps its tools to calls of a real server.

Each list is in the form of its system, imported by one command, and called under the public names
that the system's clients know.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from projects import catalog, run
from served import LEGACY, MODERN, Connection, connected, http, stdio
from test_synthetiq import PAGE

HERE = Path(__file__).parent
DRAFT_07 = "http://json-schema.org/draft-07/schema#"

REDOP = {
    "serverInfo": {"name": "redop", "version": "0.1.6"},
    "tools": [
        {
            "name": "notes.list",
            "title": "List Notes",
            "description": "List the notes with a tag, newest first.",
            "icons": [{"src": "https://redop.example/notes.png", "mimeType": "image/png"}],
            "inputSchema": {
                "$schema": DRAFT_07,
                "type": "object",
                "properties": {
                    "tag": {"type": "string"},
                    "limit": {"type": "integer", "default": 2},
                },
                "required": ["tag"],
                "additionalProperties": False,
            },
            "outputSchema": {
                "type": "object",
                "properties": {"ids": {"type": "array", "items": {"type": "string"}}},
                "required": ["ids"],
            },
            "annotations": {"readOnlyHint": True},
            "execution": {"taskSupport": "optional"},
        },
        {
            "name": "billing.invoice.create",
            "description": "Write an invoice over an amount in cents.",
            "inputSchema": {
                "type": "object",
                "properties": {"amount": {"type": "integer", "minimum": 1}},
                "required": ["amount"],
            },
            "annotations": {"readOnlyHint": False, "destructiveHint": False},
            "execution": {"taskSupport": "forbidden"},
        },
    ],
}
COUNT = {"type": "process", "command": "wc", "args": ["-w"]}
SAVE = {"type": "http", "url": "https://pages.example/save", "method": "POST", "headers": {}}
NAO = {
    "word-count.json": {
        "name": "word_count", "version": "1.0", "description": "Count the words of a text.",
        "execution": COUNT, "verify": COUNT,
    },
    "save-page.json": {
        "name": "save_page", "description": "Save a page in the archive.", "execution": SAVE,
        "revert": SAVE,
    },
    "summarize.json": {
        "name": "summarize", "description": "Summarize a text in one sentence.", "kind": "prompt",
        "prompt": {"role": "Editor", "objective": "One sentence."},
    },
}  # fmt: skip
OPENTABS = {
    "sdkVersion": "0.0.115",
    "configSchema": {
        "workspaceUrl": {"type": "url", "label": "Workspace URL", "description": "Its address."},
        "theme": {"type": "select", "options": ["dark", "light"]},
    },
    "tools": [
        {
            "name": "send_message",
            "displayName": "Send Message",
            "description": "Send a message to a Slack channel by name or ID.",
            "summary": "Send a message",
            "icon": "message-square",
            "group": "Messages",
            "input_schema": {
                "type": "object",
                "properties": {
                    "channel": {"type": "string", "description": "Channel name or ID"},
                    "text": {"type": "string", "description": "Message text"},
                },
                "required": ["channel", "text"],
                "additionalProperties": False,
            },
            "output_schema": {
                "type": "object",
                "properties": {"ok": {"type": "boolean"}, "ts": {"type": "string"}},
                "required": ["ok", "ts"],
            },
        }
    ],
}
SYNTHETIQ = {
    **PAGE,
    "streamMessage": {
        "name": "streamMessage",
        "description": "Answer with a text, word by word.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
        "outputSchema": {"type": "string"},
        "streaming": True,
        "mutation": False,
    },
}
KEYED = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "Number of the subscription."},
        "idempotency_key": {"type": "string", "description": "One key for each intended call."},
    },
    "required": ["id"],
}
EPD = {
    "jsonrpc": "2.0",
    "id": 1,
    "result": {
        "tools": [
            {
                "name": "get_customer",
                "description": "Get a customer by id.",
                "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
                "annotations": {
                    "title": "Get customer", "readOnlyHint": True, "destructiveHint": False,
                    "idempotentHint": True, "openWorldHint": False,
                },
            },
            {
                "name": "cancel_subscription",
                "description": "Cancel an existing subscription. Access ends with the period.",
                "inputSchema": KEYED,
                "annotations": {
                    "title": "Cancel subscription", "readOnlyHint": False, "destructiveHint": True,
                    "idempotentHint": True, "openWorldHint": False,
                },
            },
        ]
    },
}  # fmt: skip
SOURCES: dict[str, Any] = {
    "redop.json": REDOP,
    "tools.json": OPENTABS,
    "TOOLS.json": SYNTHETIQ,
    "epd.json": EPD,
    **{f"assistant/.nao/tools/{name}": tool for name, tool in NAO.items()},
}
IMPORTS = (
    ("mcp-tools", "redop.json", "--keep-names"),
    ("nao", *(f"assistant/.nao/tools/{name}" for name in NAO), "--keep-names"),
    ("mcp-tools", "tools.json", "--name", "slack"),
    ("mcp-tools", "TOOLS.json", "--name", "github"),
    ("mcp-tools", "epd.json", "--keep-names"),
)
HANDLERS = [
    word
    for name, handler in (
        ("redop", "Redop"), ("assistant", "Nao"), ("slack", "OpenTabs"), ("github", "Synthetiq"), ("epd", "Epd"),
    )
    for word in ("--handlers", f"{name}=app:{handler}")
]  # fmt: skip
SERVED = (*HANDLERS, "--approve", "ask")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    for name, source in SOURCES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(source, indent=2))
    for words in IMPORTS:
        status, said = run(folder, "import", *words, "--to", "specs")
        assert status == 0, said
    shutil.copy(HERE / "imported_handlers.py", folder / "app.py")
    return folder


@pytest.fixture(scope="module")
def tools(project: Path) -> dict[str, Any]:
    return catalog(project)


@pytest.fixture(
    scope="module",
    params=[(stdio, MODERN), pytest.param((http, LEGACY), marks=pytest.mark.prove)],
    ids=["stdio-2026", "http-2025"],
)
def client(
    request: pytest.FixtureRequest, project: Path, tools: dict[str, Any]
) -> Iterator[Connection]:
    serve, mode = request.param
    if serve is stdio:
        with connected(stdio(project, *SERVED), mode) as connection:
            yield connection
    else:
        with http(project, *SERVED) as address, connected(address, mode) as connection:
            yield connection


def value(client: Connection, tool: str, **arguments: Any) -> Any:
    result = client.call(tool, arguments)
    assert not result.is_error, result
    structured = result.structured_content
    is_wrapped = isinstance(structured, dict) and structured.keys() == {"result"}
    return structured["result"] if is_wrapped else structured


def test_every_tool_has_the_name_that_its_clients_know(tools: dict[str, Any]) -> None:
    assert set(tools) == {
        "notes.list", "billing.invoice.create", "word_count", "save_page", "summarize",
        "slack_send_message", "github_listRepositories", "github_createRepository",
        "github_streamMessage", "get_customer", "cancel_subscription",
    }  # fmt: skip


def test_the_documents_pass_every_check(project: Path, tools: dict[str, Any]) -> None:
    status, said = run(project, "check")
    assert status == 0, said
    assert run(project, "fmt", "--check")[0] == 0


def test_redop_keeps_dotted_names_tasks_and_defaults(
    client: Connection, tools: dict[str, Any]
) -> None:
    assert value(client, "notes.list", tag="a") == {"ids": ["a-0", "a-1"]}
    assert value(client, "billing.invoice.create", amount=5) == {"total": 5}
    assert client.call("notes.list", {"tag": 5}).is_error, "a plain JSON Schema is checked"
    assert tools["notes.list"]["taskSupport"] == "optional"
    assert tools["notes.list"]["icons"][0]["mimeType"] == "image/png"


def test_nao_keeps_text_tools_verification_and_reverts(
    client: Connection, tools: dict[str, Any], project: Path
) -> None:
    assert value(client, "word_count", input="three little words") == "3"
    assert client.call("word_count", {"input": " "}).is_error, "the result is verified"
    assert value(client, "summarize", input="a long text") == "a long tex…"
    assert tools["save_page"]["revert"]
    assert tools["word_count"]["version"] == "1.0"
    text = (project / "specs" / "assistant.yaml").read_text()
    assert "# process: wc -w, then the input" in text


def test_opentabs_keeps_the_prefix_settings_and_what_people_see(
    client: Connection, tools: dict[str, Any], project: Path
) -> None:
    document = yaml.safe_load((project / "specs" / "slack.yaml").read_text())
    assert document["service"]["settings"]["properties"] == {
        "workspaceUrl": {
            "type": "string", "format": "uri", "title": "Workspace URL", "description": "Its address.",
        },
        "theme": {"type": "string", "enum": ["dark", "light"]},
    }  # fmt: skip
    sent, reports = client.reports("slack_send_message", {"channel": "c", "text": "t"})
    assert sent.structured_content == {"ok": True, "ts": "c: t"}
    assert [message for _, _, message in reports] == ["sent"]
    tool = tools["slack_send_message"]
    seen = [tool[name] for name in ("title", "summary", "icon", "group")]
    assert seen == ["Send Message", "Send a message", "message-square", "Messages"]


def test_synthetiq_keeps_arrays_streams_and_the_mutation_flag(
    client: Connection, tools: dict[str, Any]
) -> None:
    listed = value(client, "github_listRepositories", sort="pushed")
    assert listed == [{"id": 1, "full_name": "pushed", "language": "F#"}]
    client.person.asked.clear()
    assert value(client, "github_createRepository", name="x")["full_name"] == "x"
    assert len(client.person.asked) == 1, "a tool that changes something asks"
    assert value(client, "github_streamMessage", text="a b") == "a b "
    flags = {name: tools[name]["mutation"] for name in tools if name.startswith("github_")}
    assert [name for name, changes in flags.items() if changes] == ["github_createRepository"]


def test_epd_keeps_hints_keys_and_approval(client: Connection) -> None:
    client.person.asked.clear()
    value(client, "get_customer", id="1")
    assert client.person.asked == []
    first = value(client, "cancel_subscription", id="s1", idempotency_key="k")
    assert client.person.asked != []
    assert value(client, "cancel_subscription", id="s1", idempotency_key="k") == first
    assert value(client, "get_customer", id="1")["cancelled"] == ["s1"], "the key sells once"
    (listed,) = [
        tool
        for tool in client.portal.call(client.client.list_tools).tools
        if tool.name == "cancel_subscription"
    ]
    assert listed.annotations is not None
    hints = listed.annotations.model_dump(by_alias=True, exclude={"title"})
    assert hints == {
        "readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False,
    }  # fmt: skip


def test_every_document_names_its_source(project: Path, tools: dict[str, Any]) -> None:
    kinds = {
        (file.stem, tool["source"]["kind"], tool["source"]["location"])
        for file in (project / "specs").iterdir()
        for tool in yaml.safe_load(file.read_text())["tools"]
    }
    assert {(name, kind) for name, kind, _ in kinds} == {
        ("redop", "mcp-tools"), ("assistant", "nao"), ("slack", "mcp-tools"), ("github", "mcp-tools"), ("epd", "mcp-tools"),
    }  # fmt: skip
    assert {place for name, _, place in kinds if name == "assistant"} == set(NAO)
