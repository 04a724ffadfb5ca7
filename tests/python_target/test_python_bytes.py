"""Bytes in place of base64, where `[target.python] base64 = "bytes"`: typed, in process and over MCP."""

from __future__ import annotations

import asyncio
import importlib
import os
import subprocess
import sys
from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest
from checkers import CHECKERS
from forkserver import toolspec
from formatting import run
from mcp import StdioServerParameters
from toolspec.runtime import BindError, ToolError
from toolspec.serving.client import McpTransport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOOLSPEC = (str(toolspec()),)
PICTURE = bytes(range(256))
TEXT = "AAECAw=="
SPEC = """
toolspec: 1
service:
  name: photos
  description: Turns pictures.
  settings:
    type: object
    properties:
      stamp: {type: string, description: A picture., contentEncoding: base64, default: "AAECAw=="}
    additionalProperties: false
$defs:
  Picture: {type: string, description: A picture., contentEncoding: base64}
  Part:
    description: A part of an album.
    oneOf:
      - type: object
        properties: {kind: {const: text}, content: {type: string, description: The text.}}
        required: [kind, content]
        additionalProperties: false
      - type: object
        properties: {kind: {const: picture}, content: {$ref: "#/$defs/Picture"}}
        required: [kind, content]
        additionalProperties: false
  Album:
    type: object
    properties:
      parts: {type: array, description: Its parts., items: {$ref: "#/$defs/Part"}}
      inner: {$ref: "#/$defs/Album", description: An album inside.}
      token: {type: string, description: A token., contentEncoding: base64url}
      named:
        type: object
        description: Pictures by name.
        additionalProperties: {$ref: "#/$defs/Picture"}
      mark: {type: string, description: One of two., contentEncoding: base64, enum: [AAAA, AAEC]}
      maybe: {type: [string, "null"], description: A picture or none., contentEncoding: base64}
    required: [parts]
    additionalProperties: false
tools:
  - name: turn
    description: Turn a picture.
    inputSchema:
      type: object
      properties:
        data: {$ref: "#/$defs/Picture"}
        mask: {type: string, description: Where., contentEncoding: base64, default: "AAECAw=="}
      required: [data]
      additionalProperties: false
    outputSchema: {$ref: "#/$defs/Picture"}
    mutation: false
    verify: true
  - name: keep
    description: Keep an album.
    inputSchema:
      type: object
      properties: {album: {$ref: "#/$defs/Album"}}
      required: [album]
      additionalProperties: false
    outputSchema: {$ref: "#/$defs/Album"}
    mutation: false
  - name: stream
    description: Stream pictures.
    inputSchema: {type: object, additionalProperties: false}
    outputSchema: {type: array, items: {$ref: "#/$defs/Picture"}}
    mutation: false
    streaming: true
  - name: loose
    description: Take anything that says it is a picture.
    inputSchema:
      type: object
      properties: {data: {$ref: "#/$defs/Picture"}}
      required: [data]
      additionalProperties: false
    outputSchema: {type: string}
    mutation: false
    formats: annotate
"""
APP = """
from collections.abc import AsyncIterator

from made_for_bytes.photos import (
    Album, KeepInput, KeepOutput, LooseInput, LooseOutput, PhotosClient, PhotosHandlers,
    PhotosSettings, StreamChunk, StreamInput, StreamOutput, TurnArguments, TurnInput, TurnOutput,
    bind,
)
from toolspec.runtime import Context

Ctx = Context[PhotosSettings, None]
seen: list[object] = []


class Photos(PhotosHandlers):
    async def turn(self, input: TurnInput, ctx: Ctx) -> TurnOutput:
        picture: bytes = input["data"]
        stamp: bytes = ctx.settings["stamp"]
        seen.extend((picture, input["mask"], stamp))
        return picture[::-1]

    async def verify_turn(self, input: TurnInput, output: TurnOutput, ctx: Ctx) -> str | None:
        picture: bytes = output
        return None if picture == input["data"][::-1] else "it is not turned"

    async def keep(self, input: KeepInput, ctx: Ctx) -> KeepOutput:
        album: Album = input["album"]
        seen.append(album)
        return album

    async def stream(self, input: StreamInput, ctx: Ctx) -> AsyncIterator[StreamChunk]:
        for picture in (b"a", b"bc"):
            yield picture

    def loose(self, input: LooseInput, ctx: Ctx) -> LooseOutput:
        return repr(input["data"])


async def whole(client: PhotosClient, picture: bytes) -> bytes:
    arguments: TurnArguments = {"data": picture}
    turned: bytes = await client.turn(arguments)
    return turned


registry = bind(Photos(), settings={"stamp": b"stamp"})
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "specs").mkdir()
    (folder / "specs" / "photos.yaml").write_text(SPEC)
    (folder / "app.py").write_text(APP)
    (folder / "toolspec.toml").write_text(
        'out = "made_for_bytes"\ntargets = ["python", "catalog", "mcp-2026-07-28", "mcp-2025-11-25"]\n[target.python]\nbase64 = "bytes"\n'
    )
    subprocess.run([*TOOLSPEC, "compile"], cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [*sys.modules]:
        if name.partition(".")[0] in {"made_for_bytes", "app"}:
            del sys.modules[name]


@pytest.fixture(scope="module")
def app(folder: Path) -> Any:
    assert folder.is_dir()
    return importlib.import_module("app")


@pytest.fixture(params=["in process", "without copies", "stdio"])
def transport(request: pytest.FixtureRequest, app: Any, folder: Path) -> Any:
    if request.param != "stdio":
        return app.registry.with_controls(copies=request.param == "in process")
    command, *rest = TOOLSPEC
    options = ("serve", "--handlers", "app:registry")
    server = StdioServerParameters(
        command=command, args=[*rest, *options], cwd=str(folder), env=dict(os.environ)
    )
    return McpTransport(server)


def test_a_handler_gets_bytes_and_a_client_too(app: Any, transport: Any) -> None:
    async def used() -> None:
        try:
            client = app.PhotosClient(transport)
            assert await app.whole(client, PICTURE) == PICTURE[::-1]
            assert [each async for each in client.stream({})] == [b"a", b"bc"]
            told: list[object] = []
            await client.stream_with_callback({}, on_chunk=told.append, on_complete=told.append)
            assert told == [b"a", b"bc", [b"a", b"bc"]]
        finally:
            if isinstance(transport, McpTransport):
                await transport.aclose()

    app.seen.clear()
    asyncio.run(used())
    if not isinstance(transport, McpTransport):
        assert app.seen == [PICTURE, b"\x00\x01\x02\x03", b"stamp"]


def test_every_place_of_a_picture_is_bytes_and_no_other(app: Any) -> None:
    part = {"kind": "picture", "content": b"one"}
    album = {
        "parts": [part, {"kind": "text", "content": TEXT}],
        "inner": {"parts": [part], "token": b"\xff\xfe", "maybe": None},
        "named": {"a": b"a", "parts": b"b"},
        "mark": "AAEC",
        "maybe": b"",
    }
    app.seen.clear()
    assert asyncio.run(app.PhotosClient(app.registry).keep({"album": album})) == album
    assert app.seen == [album]
    wire = asyncio.run(
        app.registry.call("photos_keep", {"album": {"parts": [{**part, "content": TEXT}]}})
    )
    assert wire == {"parts": [{"kind": "picture", "content": TEXT}]}


def test_what_cannot_be_decoded_is_the_callers_fault(app: Any) -> None:
    for tool in ("turn", "loose"):
        with pytest.raises(ToolError) as caught:
            asyncio.run(app.registry.call(f"photos_{tool}", {"data": "%"}))
        assert caught.value.category == "validation"
        (error,) = caught.value.field_errors
        assert (error.path, error.code) == ("$.data", "contentEncoding")


def test_bytes_where_no_encoding_is_stated_stay_an_error(app: Any) -> None:
    class Wrong(app.Photos):  # type: ignore[misc]  # loaded at run time
        def loose(self, input: Any, ctx: Any) -> Any:
            return input["data"]

    registry = app.bind(Wrong(), settings={})
    with pytest.raises(ToolError, match="bytes is not a JSON type"):
        asyncio.run(registry.call("photos_loose", {"data": TEXT}))


def test_settings_are_checked_as_text(app: Any) -> None:
    with pytest.raises(BindError, match="is not valid base64"):
        app.bind(app.Photos(), settings={"stamp": "%"})


def test_a_mock_answers_with_text(folder: Path) -> None:
    command = [*TOOLSPEC, "call", "photos_turn", f"data={TEXT}", "--raw"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    assert b64decode(done.stdout.strip(), validate=True)


@pytest.mark.prove
@pytest.mark.parametrize("command", CHECKERS)
def test_checkers_see_bytes(folder: Path, command: tuple[str, ...]) -> None:
    assert run(folder, *command, "app.py", "made_for_bytes") == ""
    wrong = APP.replace("picture: bytes = input", "picture: str = input", 1)
    (folder / "wrong_app.py").write_text(wrong)
    assert "wrong_app.py" in run(folder, *command, "wrong_app.py")


def test_without_the_option_base64_is_str(folder: Path) -> None:
    (folder / "plain.toml").write_text("")
    command = [*TOOLSPEC, "compile", "specs", "--out", "plain", "--target", "python", "--no-cache"]
    (folder / "other").mkdir()
    (folder / "other" / "specs").mkdir()
    (folder / "other" / "specs" / "photos.yaml").write_text(SPEC)
    (folder / "other" / "toolspec.toml").write_text("")
    subprocess.run(command, cwd=folder / "other", check=True, capture_output=True)
    types = (folder / "other" / "plain" / "photos" / "types.py").read_text()
    assert "Picture: TypeAlias = str" in types
    assert "bytes" not in types
