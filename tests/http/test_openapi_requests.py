"""Each operation of published documents, called: its request is that of schemathesis, byte by byte."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from openapi_calls import NOT_SENDABLE, OpenApiCalls, Report
from sampling import sampled
from upstream import Upstream

SMALL = ("petstorev3.json", "tinkoff.json", "firecracker.json", "openai-1.2.0.openapi.yaml")
LARGE = (
    "ApiManagementClient-openapi.json", "asana.yaml", "stripe-old.yaml", "superset.json", "telegram_bot_api.json",
    "twilio_taskrouter_v1.json", "twilio_verify_v2.yaml",
)  # fmt: skip
FOREIGN = os.environ.get("TOOLSPEC_OPENAPI_DOCUMENTS")
"""Folder of more documents, which are not part of the repository."""
MORE = sorted(path for path in Path(FOREIGN).iterdir()) if FOREIGN else []


def compare(file: Path, folder: Path, patch: pytest.MonkeyPatch, upstream: Upstream) -> Report:
    """Call every operation of a document, and print how many there are."""
    calls = OpenApiCalls(file, folder, patch, upstream)
    report = Report()
    if not calls.tools:
        errors = calls.problems()
        assert errors
        assert all(each.span for each in errors)
        print(f"{file.name}: refused, {errors[0].message}")
        return report

    async def run() -> None:
        async with calls.connected():
            for tool in calls.tools:
                await calls.compare(tool, report)

    asyncio.run(run())
    left_out = [tool for tool in calls.tools if tool.method not in calls.bindings]
    print(
        f"{file.name}: {len(report.operations)} operations, {report.calls} calls ({report.nulls} with null), "
        f"{report.refused.total()} refused, {len(left_out)} tools without a request"
    )
    assert report.differences == []
    assert [each for each in report.refused if not each.endswith(NOT_SENDABLE)] == []
    assert len(report.operations) == len(calls.tools) - len(left_out)
    assert len(left_out) == len(calls.problems("import/call-left-out"))
    return report


@pytest.mark.parametrize("name", sampled(SMALL, 1))
def test_requests_of_small_documents(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upstream: Upstream, name: str
) -> None:
    compare(corpus / "openapi" / name, tmp_path, monkeypatch, upstream)


@pytest.mark.prove
@pytest.mark.parametrize("name", [*LARGE, *MORE], ids=lambda each: Path(each).name)
def test_requests_of_published_documents(
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    upstream: Upstream,
    name: str | Path,
) -> None:
    compare(corpus / "openapi" / name, tmp_path, monkeypatch, upstream)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_a_change_sends_its_fields_and_null(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upstream: Upstream, version: str
) -> None:
    text = (
        {"type": "string", "nullable": True} if "3.0" in version else {"type": ["string", "null"]}
    )
    fields = {"note": text, "private": {"type": "boolean", "default": False}}
    schema = {"type": "object", "properties": fields}
    change = {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": {}}
    document = {"openapi": version, "info": {"title": "API"}, "paths": {"/pet": {"patch": change}}}
    file = tmp_path / "api.json"
    file.write_text(json.dumps(document))
    calls = OpenApiCalls(file, tmp_path, monkeypatch, upstream)
    (tool,) = calls.tools
    asyncio.run(calls.send(tool, {"note": None}))
    assert upstream.last.body == b'{"note":null}'
