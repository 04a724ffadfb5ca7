"""A published OpenAPI document becomes an MCP server in two commands, and is called over both transports."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from forkserver import toolspec
from schemathesis_requests import read_document
from served import MODERN, connected, http, stdio
from upstream import Received, Upstream, json_response, response

OPTIONS = ("--upstream", "--private-upstream", "--reload", "--settings", "settings.toml")
MODEL = {"id": "ada/1", "object": "model", "created": 1, "owned_by": "openai"}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def part(text: str) -> dict[str, Any]:
    choice = {"text": text, "index": 0, "logprobs": None, "finish_reason": "stop"}
    return {
        "id": "1",
        "object": "text_completion",
        "created": 1,
        "model": "ada",
        "choices": [choice],
    }


class Double:
    """The API on loopback; it sends the second part of a stream when the first has arrived."""

    def __init__(self) -> None:
        self.first_arrived = Event()
        self.was_early = False

    def reply(self, received: Received) -> bytes | Iterator[bytes]:
        match received.method, received.target:
            case "GET", "/v1/models/ada%2F1":
                return json_response(json.dumps(MODEL))
            case "POST", "/v1/completions":
                return self._parts()
            case _:
                return response("", 404)

    def _parts(self) -> Iterator[bytes]:
        yield HEAD + f"data: {json.dumps(part('one'))}\n\n".encode()
        self.was_early = self.first_arrived.wait(timeout=30)
        yield f"data: {json.dumps(part('two'))}\n\ndata: [DONE]\n\n".encode()


@contextmanager
def server(folder: Path, transport: str) -> Iterator[Any]:
    if transport == "stdio":
        yield stdio(folder, *OPTIONS)
    else:
        with http(folder, *OPTIONS) as address:
            yield address


@pytest.mark.prove
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_two_commands_serve_a_document(
    corpus: Path, tmp_path: Path, upstream: Upstream, transport: str
) -> None:
    document = read_document(corpus / "openapi" / "openai-1.2.0.openapi.yaml")
    # Completions are events if `stream` is true, which this version states in words only.
    content = document["paths"]["/completions"]["post"]["responses"]["200"]["content"]
    content["text/event-stream"] = content.pop("application/json")
    (tmp_path / "openai.json").write_text(json.dumps(document))
    (tmp_path / "settings.toml").write_text(f'[openai]\nbaseUrl = "{upstream.url}/v1"\n')
    double = Double()
    upstream.requests.clear()
    upstream.reply = double.reply
    command = [str(toolspec()), "import", "openapi", "openai.json", "--to", "specs"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    arrived: list[Any] = []

    async def listen(_: float, __: float | None, message: str | None) -> None:
        arrived.append(json.loads(message or "null"))
        double.first_arrived.set()

    with server(tmp_path, transport) as address, connected(address, MODERN) as client:
        model = client.call("openai_retrieve_model", {"model": "ada/1"})
        arguments = {"model": "ada", "prompt": "Count.", "stream": True, "suffix": None}
        counted = client.call("openai_create_completion", arguments, progress_callback=listen)
        missing = client.call("openai_retrieve_model", {"model": "b"})
    assert model.structured_content == {"result": MODEL}  # its schema names no type
    assert double.was_early
    assert arrived == [part("one"), part("two")]
    assert counted.structured_content == [part("one"), part("two")]
    assert missing.is_error
    assert "not_found" in missing.content[0].text
    stream = next(each for each in upstream.requests if each.method == "POST")
    assert json.loads(stream.body) == arguments
