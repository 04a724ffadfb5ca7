"""Nao's JSON tool files: as strict as Nao's own loader, and each loss is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver.build import Request, build
from toolspec.driver.imports import Destination, import_nao

PROCESS = {"type": "process", "command": "pandoc", "args": ["--to", "plain text"]}
CONVERT = {"name": "convert", "description": "Convert a page to text.", "execution": PROCESS}
ECHO = {
    "name": "echo",
    "version": "1.0",
    "description": "Send a text and return what comes back.",
    "execution": {
        "type": "http", "url": "https://echo.example/v1", "method": "GET",
        "headers": {"Authorization": "Bearer hunter2"},
    },
}  # fmt: skip
SUMMARY = {
    "name": "summarize",
    "description": "Summarize a text in one sentence.",
    "kind": "prompt",
    "prompt": {"role": "Editor", "constraints": ["Be brief."], "output_format": "free_text"},
}
UNDO = {"type": "process", "command": "rm", "args": []}


def imported(
    folder: Path, *tools: Any, service: str | None = None
) -> tuple[dict[str, Any] | None, list[Diagnostic], str]:
    """Return the document of a workspace with these tool files, the diagnostics, and the text."""
    files = [
        folder / "my-shop" / ".nao" / "tools" / f"{number}.json" for number in range(len(tools))
    ]
    files[0].parent.mkdir(parents=True)
    for file, tool in zip(files, tools, strict=True):
        file.write_text(tool if isinstance(tool, str) else json.dumps(tool, indent=2))
    done = import_nao(files, Destination(folder / "specs", service))
    if not done.value:
        assert not (folder / "specs").exists()
        return None, list(done.diagnostics), ""
    built = build(Request(folder=folder))
    errors = [each for each in built.diagnostics if each.severity is Severity.ERROR]
    assert [each.message for each in errors if each.suppression is None] == []
    text = Path(done.value[0].path).read_text()
    return yaml.safe_load(text), list(done.diagnostics), text


def test_a_workspace_becomes_one_service(tmp_path: Path) -> None:
    document, found, text = imported(tmp_path, CONVERT, ECHO, SUMMARY)
    assert document is not None
    assert document["service"]["name"] == "my-shop"
    assert [tool["name"] for tool in document["tools"]] == ["convert", "echo", "summarize"]
    convert = document["tools"][0]
    assert convert["inputSchema"] == convert["outputSchema"] == {"type": "string"}
    assert convert["outputContentType"] == "text/plain"
    assert convert["mutation"] is True
    assert convert["source"] == {"kind": "nao", "location": "0.json", "member": "convert"}
    assert "# process: pandoc --to 'plain text', then the input\n" in text
    assert "# http: GET https://echo.example/v1\n" in text
    assert "hunter2" not in text
    lost = [each.subject.pointer for each in found if each.code == "import/lost"]
    assert lost == ["/execution", "/execution/headers", "/prompt"]


def test_names_of_a_query_stay_in_the_comment(tmp_path: Path) -> None:
    url = "https://user:hunter2@api.example/wx?units=metric&key=hunter2&hunter2"
    execution = {"type": "http", "method": "POST", "url": url, "headers": {}}
    _, _, text = imported(tmp_path, {**ECHO, "execution": execution})
    assert "# http: POST https://api.example/wx, with units, key in the query\n" in text
    assert "hunter2" not in text


def test_headers_of_a_request_are_lost(tmp_path: Path) -> None:
    headers = {"X-Key": "hunter2"}
    execution = {
        "type": "http",
        "method": "GET",
        "url": "https://api.example/v1",
        "headers": headers,
    }
    document, found, text = imported(tmp_path, {**ECHO, "execution": execution})
    assert document is not None
    assert document["tools"][0]["http"]["path"] == "/v1"
    (lost,) = [each for each in found if each.code == "import/lost"]
    assert lost.message.startswith("`execution.headers` of `echo` is left out: they are not sent")
    assert lost.subject.pointer == "/execution/headers"
    assert "hunter2" not in text


@pytest.mark.parametrize(
    ("execution", "expected"),
    [
        ({"method": "get"}, {"method": "GET", "server": "https://echo.example", "path": "/v1"}),
        (
            {"method": "PATCH", "url": "http://echo.example:8"},
            {
                "method": "POST", "server": "http://echo.example:8", "path": "/",
                "body": {"argument": "input", "contentType": "application/json; charset=utf-8"},
            },
        ),
        ({"url": "https://echo.example/v1?key=1"}, None),
        ({"url": "https://ann:secret@echo.example/v1"}, None),
        ({"url": "ftp://echo.example/v1"}, None),
        ({"url": "no address"}, None),
        ({"url": "http://["}, None),
        ({"url": "https://echo.example/{id}"}, None),
    ],
)  # fmt: skip
def test_a_request_becomes_that_of_the_language(
    tmp_path: Path, execution: Any, expected: Any
) -> None:
    tool = {**ECHO, "execution": {**ECHO["execution"], "headers": {}, **execution}}
    document, found, text = imported(tmp_path, tool)
    assert document is not None
    assert document["tools"][0].get("http") == expected
    lost = [each.subject.pointer for each in found if each.code == "import/lost"]
    assert lost == ([] if expected else ["/execution"])
    schema = document["tools"][0]["inputSchema"]
    has_body = expected is not None and "body" in expected
    assert schema.get("contentMediaType") == ("application/json" if has_body else None)
    assert "secret" not in text


def test_what_nao_declares_has_fields(tmp_path: Path) -> None:
    tool = {
        **CONVERT, "version": "2", "is_async": True, "output_content_type": "application/json",
        "verify": PROCESS, "revert": UNDO, "runtime": "deno",
    }  # fmt: skip
    document, found, text = imported(tmp_path, tool, service="files")
    assert document is not None
    (converted,) = document["tools"]
    expected = {
        "version": "2", "taskSupport": "optional", "outputSchema": True, "verify": True, "revert": True,
    }  # fmt: skip
    assert {name: converted.get(name) for name in expected} == expected
    assert (
        "outputContentType" not in converted or converted["outputContentType"] == "application/json"
    )
    assert "revert: true # process: deno: rm, then the input\n" in text
    assert sorted(each.subject.pointer for each in found if each.code == "import/lost") == [
        "/execution", "/revert", "/verify",
    ]  # fmt: skip


def test_versions_of_a_tool_share_its_name(tmp_path: Path) -> None:
    document, _, _ = imported(tmp_path, ECHO, {**ECHO, "version": "2.0"}, CONVERT)
    assert document is not None
    names = [(tool["name"], tool.get("version")) for tool in document["tools"]]
    assert names == [("echo", "1.0"), ("echo", "2.0"), ("convert", None)]


def test_a_version_that_the_language_lacks_is_lost(tmp_path: Path) -> None:
    document, found, _ = imported(tmp_path, {**CONVERT, "version": "draft two"})
    assert document is not None
    assert "version" not in document["tools"][0]
    (lost,) = [each.message for each in found if each.subject.pointer == "/version"]
    assert "`draft two` is invalid for `version`" in lost


STRICT: dict[str, tuple[Any, str, str]] = {
    "unknown": ({**CONVERT, "runtimes": "deno"}, "/runtimes", "`runtimes` is not a member of a tool"),
    "prompt with revert": ({**SUMMARY, "revert": UNDO}, "/revert", "`revert` of a tool of kind `prompt` must not"),
    "prompt with verify": ({**SUMMARY, "verify": UNDO}, "/verify", "must not be there"),
    "prompt with execution": ({**SUMMARY, "execution": PROCESS}, "/execution", "must not be there"),
    "prompt with runtime": ({**SUMMARY, "runtime": ""}, "/runtime", "must not be there"),
    "async prompt": ({**SUMMARY, "is_async": True}, "/is_async", "must not be there"),
    "prompt without prompt": ({"name": "a", "kind": "prompt"}, "", "of kind `prompt` needs `prompt`"),
    "without execution": ({"name": "a"}, "", "a tool of kind `executable` needs `execution`"),
    "executable with prompt": ({**CONVERT, "prompt": SUMMARY["prompt"]}, "/prompt", "must not be there"),
    "other kind": ({**CONVERT, "kind": "agent"}, "/kind", "is neither `executable` nor `prompt`"),
    "no name": ({"execution": PROCESS}, "", "needs `name`"),
    "name not a text": ({**CONVERT, "name": 5}, "/name", "is not a text"),
    "name is null": ({**CONVERT, "name": None}, "/name", "is not a text"),
    "flag not a flag": ({**CONVERT, "is_async": "yes"}, "/is_async", "is not true or false"),
    "no type": ({**CONVERT, "execution": {"command": "a", "args": []}}, "/execution", "needs `type`"),
    "other type": ({**CONVERT, "execution": {"type": "grpc"}}, "/execution/type", "is none of `process`, `http`"),
    "no arguments": ({**CONVERT, "execution": {"type": "process", "command": "a"}}, "/execution", "needs `args`"),
    "argument not a text": ({**CONVERT, "execution": {**PROCESS, "args": [5]}}, "/execution/args", "is not a list of texts"),
    "more in execution": ({**CONVERT, "revert": {**UNDO, "cwd": "/"}}, "/revert/cwd", "`cwd` is not a member of an execution"),
    "more in prompt": ({**SUMMARY, "prompt": {"rol": "x"}}, "/prompt/rol", "`rol` is not a member of a prompt"),
    "not an object": ([CONVERT], "", "its root is not an object"),
}  # fmt: skip


@pytest.mark.parametrize("case", STRICT)
def test_what_nao_refuses_is_an_error_with_its_location(tmp_path: Path, case: str) -> None:
    tool, pointer, said = STRICT[case]
    document, found, _ = imported(tmp_path, CONVERT, tool)
    assert document is None
    (error,) = [each for each in found if each.severity is Severity.ERROR]
    assert error.subject.pointer == pointer
    assert said in error.message
    assert error.help
    assert error.span is not None
    assert error.span.source.path.endswith("1.json")


def test_all_errors_are_reported_at_once(tmp_path: Path) -> None:
    _, found, _ = imported(
        tmp_path, {"name": 5, "versio": "1"}, {**SUMMARY, "revert": {"type": "x"}}, "{"
    )
    errors = [each.code for each in found if each.severity is Severity.ERROR]
    assert sorted(each for each in errors if each.startswith("import/")) == [
        "import/missing-member", "import/unknown-member", "import/wrong-member",
        "import/wrong-member", "import/wrong-member",
    ]  # fmt: skip
    assert len(errors) == 6
    assert any("did you mean `version`?" in each.help for each in found)
