"""Seed 001, Nao: permissions, approval, verify, revert, versions, provenance, text tools."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from projects import TOOL, codes, service, written
from specs_bound import agreeing, bound, failure
from toolspec.runtime import BindError, Policy, PolicySource, Question, Registry, Rule
from toolspec.runtime.controls.journal import RevertOutcome

READ = "file:~/projects/**:read"
LIST = "file:~/projects/**:list"
WRITE = "file:~/projects/**:write"
FILE = {"path": "a.md", "content": "new"}
CHANGE = {"path": "a.md", "bytes": 3}


def source(name: str, **modes: Any) -> PolicySource:
    """A source of rules for permissions, all of them off, asked for or automatic."""
    rules = [Rule(mode=mode, permission=one) for mode, held in modes.items() for one in held]
    return PolicySource(name=name, rules=tuple(rules))


class Files:
    """A folder in memory, with handlers that note what they did to it."""

    def __init__(self) -> None:
        self.files = {"a.md": "old"}
        self.seen: list[str] = []

    async def write_file(self, input: Any, ctx: Any) -> Any:
        ctx.metadata["before"] = self.files.get(input["path"])
        self.files[input["path"]] = input["content"]
        self.seen.append(f"wrote {input['path']}")
        return {"path": input["path"], "bytes": len(input["content"])}

    async def verify_write_file(self, input: Any, output: Any) -> str | None:
        return "the disk holds something else" if input["content"] == "lost" else None

    async def revert_write_file(self, input: Any, output: Any, metadata: Any) -> str | None:
        self.seen.append(f"undid {input['path']}")
        if input["content"] == "stuck":
            return "the file is locked"
        self.files[input["path"]] = metadata["before"]
        return None


def workspace(files: Files) -> Registry:
    class Handlers(Files):
        def __new__(cls) -> Any:
            made = super().__new__(cls)
            made.__dict__ = files.__dict__
            return made

        def __init__(self) -> None: ...

    return agreeing(bound("workspace", Handlers))


def write(registry: Registry, path: str = "a.md", content: str = "new") -> Any:
    return registry.call("workspace_write_file", {"path": path, "content": content})


def test_static_permissions_stop_at_the_first_denial_with_kind_and_resource() -> None:
    asked: list[str] = []

    def approver(question: Question) -> bool:
        asked.extend(one.operation for one in question.permissions)
        return "list" not in asked

    files = Files()
    rules = source("host", ask=[READ, LIST, WRITE])
    registry = workspace(files).with_controls(policy=Policy(sources=(rules,)), approver=approver)
    error = failure(write(registry))
    assert (error.category, error.code) == ("permission", "refused")
    assert error.details["kind"] == "file"
    assert error.details["resource"] == "~/projects/**"
    assert error.details["operation"] == "list"
    assert error.details["hint"]
    assert asked == ["read", "list"]
    assert files.seen == []


def test_permissions_that_a_rule_asks_for_are_requested_before_each_run() -> None:
    asked: list[str] = []

    def approver(question: Question) -> bool:
        asked.append(question.permissions[0].operation)
        return True

    rules = source("host", ask=[READ])
    registry = workspace(Files()).with_controls(policy=Policy(sources=(rules,)), approver=approver)

    async def twice() -> None:
        await write(registry)
        await write(registry)

    asyncio.run(twice())
    assert asked.count("read") == 2


def test_a_web_permission_is_denied_with_its_kind() -> None:
    rules = source("host", off=["web:*.example.com:GET"])
    registry = agreeing(bound("workspace")).with_controls(policy=Policy(sources=(rules,)))
    error = failure(registry.call("workspace_save_page", {"url": "https://a.example.com/"}))
    assert (error.code, error.details["kind"]) == ("forbidden", "web")
    assert error.details["resource"] == "*.example.com"


def test_a_handler_asks_for_a_concrete_resource_with_its_reason() -> None:
    asked: list[Question] = []

    def approver(question: Question) -> bool:
        asked.append(question)
        return not question.reason

    class Handlers:
        async def read_file(self, input: Any, ctx: Any) -> Any:
            await ctx.request_permission("file:/etc/hosts", "it is included", "read")
            return "never"

    registry = bound("workspace", Handlers).with_controls(approver=approver)
    error = failure(registry.call("workspace_read_file", {"path": "a.md"}))
    assert (error.category, error.details["resource"]) == ("permission", "/etc/hosts")
    assert [one.reason for one in asked] == ["", "it is included"]


@pytest.mark.parametrize("denied", [READ, "file:*:read"])
@pytest.mark.parametrize("first", [True, False])
def test_deny_beats_an_equal_or_more_specific_allow_across_sources(
    first: bool, denied: str
) -> None:
    allows, denies = source("team", auto=[READ]), source("company", off=[denied])
    sources = (denies, allows) if first else (allows, denies)
    files = Files()
    error = failure(write(workspace(files).with_controls(policy=Policy(sources=sources))))
    assert error.code == "forbidden"
    assert "company" in error.details["hint"]
    assert files.seen == []


def test_no_approver_means_refused() -> None:
    files = Files()
    error = failure(write(workspace(files).with_controls(approver=None)))
    assert (error.category, error.code) == ("permission", "approval_required")
    assert files.seen == []


def test_a_denial_is_an_error_and_no_result() -> None:
    """The seed answers with a successful result that holds JSON of the denial."""
    refusing = workspace(Files()).with_controls(approver=lambda _: False)
    wire: Any = failure(write(refusing)).to_wire()
    assert wire["error"]["category"] == "permission"
    assert wire["error"]["request_id"]


def test_a_failed_verification_keeps_the_output() -> None:
    files = Files()
    error = failure(write(workspace(files), content="lost"))
    assert error.category == "verification"
    assert error.details["output"] == {"path": "a.md", "bytes": 4}
    assert "the disk holds something else" in error.message
    assert files.files["a.md"] == "lost", "nothing is undone by itself"


def test_revert_all_goes_newest_first_carries_on_and_marks_only_successes() -> None:
    files = Files()
    registry = workspace(files)

    async def main() -> tuple[tuple[RevertOutcome, ...], ...]:
        for path, content in (("a.md", "1"), ("b.md", "stuck"), ("c.md", "3")):
            await write(registry, path, content)
        files.seen.clear()
        return await registry.revert_all(), await registry.revert_all()

    first, second = asyncio.run(main())
    assert files.seen == ["undid c.md", "undid b.md", "undid a.md", "undid b.md"]
    assert [one.status for one in first] == ["reverted", "failed", "reverted"]
    assert first[1].message == "the file is locked"
    assert [one.status for one in second] == ["failed"], "only what was undone is marked"
    assert files.files["a.md"] == "old"


def test_revert_last_undoes_one_call_after_the_other() -> None:
    files = Files()
    registry = workspace(files)

    async def main() -> list[RevertOutcome | None]:
        await write(registry, content="1")
        await write(registry, content="2")
        return [await registry.revert_last() for _ in range(3)]

    statuses = [one and one.status for one in asyncio.run(main())]
    assert statuses == ["reverted", "reverted", None]
    assert files.files["a.md"] == "old"


class Searching:
    async def search_v1_0(self, input: str) -> str:
        return f"old {input}"

    async def search_v2_0(self, input: Any) -> Any:
        return []


def test_name_at_version_is_exact_and_a_bare_name_the_highest() -> None:
    registry = agreeing(bound("workspace", Searching))

    async def main() -> list[object]:
        return [
            await registry.call("workspace_search@1.0", {"input": "needle"}),
            await registry.call("workspace_search@2.0", {"what": "needle"}),
            await registry.call("workspace_search", {"what": "needle"}),
        ]

    assert asyncio.run(main()) == ["old needle", [], []]


def test_a_version_that_there_is_not_is_not_found() -> None:
    registry = bound("workspace", Searching)
    assert failure(registry.call("workspace_search@3.0", {})).category == "not_found"


def test_a_tool_without_version_answers_any_requested_version() -> None:
    registry = bound("workspace", Searching)
    error = failure(registry.call("workspace_read_file@1.0", {}))
    assert (error.category, error.field_errors[0].path) == ("validation", "$.path")


def test_a_text_only_tool_gets_a_string_and_answers_with_one() -> None:
    registry = agreeing(bound("workspace", Searching))
    assert registry.definition("workspace_search@1.0").input_form == "text"
    answer = asyncio.run(registry.call("workspace_search@1.0", {"input": "needle"}))
    assert answer == "old needle"
    assert failure(registry.call("workspace_search@1.0", {"input": ""})).category == "validation"


def test_provenance_says_where_a_tool_comes_from(repository: Path) -> None:
    catalog = json.loads((repository / "generated" / "catalog.json").read_text())
    tools = {tool.get("exactName", tool["name"]): tool for tool in catalog["tools"]}
    old = tools["workspace_search@1.0"]["source"]
    assert (old["file"], old["origin"]["kind"]) == ("specs/workspace/service.yaml", "json")
    assert all(tool["source"]["file"] and tool["source"]["pointer"] for tool in tools.values())
    assert all(tool["digests"]["definition"] for tool in tools.values())
    registry = bound("workspace", Searching)
    origin = ("json", "legacy/tools.json", "search")
    assert registry.definition("workspace_search@1.0").origin == origin
    assert registry.definition("workspace_search@2.0").origin is None


def test_a_document_with_an_unknown_key_is_rejected(tmp_path: Path) -> None:
    """The seed's loader reads JSON tool files; here the key is one of a service document."""
    assert "shape/unknown-key" in codes(written(tmp_path, service({**TOOL, "timeout_ms": 5})))


def test_a_reader_cannot_have_a_revert(tmp_path: Path) -> None:
    """The seed's rule for prompt tools; here it is for every tool that changes nothing."""
    tool = {**TOOL, "mutation": False, "revert": True}
    assert codes(written(tmp_path, service(tool))) == ["safety/revert-of-read"]


def test_tools_without_handlers_are_not_bound() -> None:
    """The seed rejects an executable tool without execution; here that is a missing handler."""
    from generated.workspace import bind

    with pytest.raises(BindError, match="no handler for `workspace_write_file`"):
        bind({})
