"""Files that requests send: what is sent, and which files are never read."""

from __future__ import annotations

import os
from email.parser import BytesParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from requests_of_tools import Api, compiled, document, tool
from toolspec.runtime import ToolError
from upstream import Upstream, json_response

if TYPE_CHECKING:
    from types import ModuleType

PATH = {"type": "string"}
PATHS = {"type": "array", "items": PATH}
FORM = {"contentType": "multipart/form-data"}
PHOTOS = {"photo": {"file": True}, "more": {"file": True, "name": "extra", "contentType": "x/y"}}


@pytest.fixture(autouse=True)
def no_requests(upstream: Upstream) -> None:
    upstream.answers(json_response("null"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="module")
def package(folder: Path) -> ModuleType:
    permissions = [
        {"file": f"{folder}/up/**", "op": "read"},
        {"file": f"{folder}/single/a*.txt", "op": "read"},
        {"file": f"{folder}/only.txt", "op": "read"},
        {"file": f"{folder}/written/**", "op": "write"},
    ]
    tools = (
        tool(
            "add",
            {"method": "POST", "path": "/photos", "body": FORM, "in": PHOTOS},
            arguments={"title": PATH, "photo": PATH, "more": PATHS},
            permissions=permissions,
        ),
        tool(
            "put",
            {
                "method": "PUT",
                "path": "/photo",
                "body": {"argument": "photo", "contentType": "image/x-own"},
                "in": {"photo": {"file": True}},
            },
            arguments={"photo": PATH},
            permissions=permissions,
        ),
    )
    for path in ("up/deep", "single", "written", "private"):
        (folder / path).mkdir(parents=True)
    for name in (
        "up/a.png",
        'up/deep/b "c".bin',
        "single/a1.txt",
        "single/b1.txt",
        "single/.txt",
        "only.txt",
        "only.txt.bak",
        "written/a.txt",
        "private/secret.txt",
    ):
        (folder / name).write_bytes(f"<{name}>".encode())
    (folder / "up/out.txt").symlink_to(folder / "private/secret.txt")
    (folder / "up/in.txt").symlink_to(folder / "up/a.png")
    (folder / "up/folder").symlink_to(folder / "private")
    (folder / "up/loop").symlink_to(folder / "up/loop")
    os.mkfifo(folder / "up/pipe")
    with pytest.MonkeyPatch.context() as patch:
        return compiled(folder, patch, document(*tools))


def test_files_are_parts_of_a_form(package: ModuleType, folder: Path, upstream: Upstream) -> None:
    paths = [str(folder / "up/a.png"), str(folder / 'up/deep/b "c".bin')]
    Api(package, upstream.url).call("add", title="Two", photo=paths[0], more=paths)
    head = f"Content-Type: {upstream.last.header('content-type')}\r\n\r\n".encode()
    parts: Any = BytesParser().parsebytes(head + upstream.last.body).get_payload()
    assert [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part["Content-Type"],
            part.get_payload(decode=True),
        )
        for part in parts
    ] == [
        ("title", None, None, b"Two"),
        ("photo", "a.png", "image/png", b"<up/a.png>"),
        ("extra", "a.png", "x/y", b"<up/a.png>"),
        ("extra", "b %22c%22.bin", "x/y", b'<up/deep/b "c".bin>'),
    ]


def test_a_file_is_the_whole_body(package: ModuleType, folder: Path, upstream: Upstream) -> None:
    Api(package, upstream.url).call("put", photo=str(folder / "up/a.png"))
    assert upstream.last.body == b"<up/a.png>"
    assert upstream.last.header("content-type") == "image/x-own"


@pytest.mark.parametrize("path", ["up/in.txt", "up/deep/../a.png", "single/a1.txt", "only.txt"])
def test_a_covered_file_is_sent(
    path: str, package: ModuleType, folder: Path, upstream: Upstream
) -> None:
    Api(package, upstream.url).call("put", photo=str(folder / path))
    assert upstream.last.body == (folder / path).read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        "private/secret.txt",
        "up/out.txt",
        "up/folder/secret.txt",
        "up/../private/secret.txt",
        "single/b1.txt",
        "single/.txt",
        "single/sub/a.txt",
        "only.txt.bak",
        "only.txt/x",
        "written/a.txt",
        "up",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "private/missing.txt",
    ],
)
def test_a_file_that_no_permission_covers_is_not_read(
    path: str, package: ModuleType, folder: Path, upstream: Upstream
) -> None:
    """Whether it exists makes no difference."""
    with pytest.raises(ToolError) as caught:
        Api(package, upstream.url).call(
            "put", photo=path if path[0] in "/~" else f"{folder}/{path}"
        )
    assert (caught.value.code, caught.value.category) == ("file_not_allowed", "permission")
    assert upstream.requests == []


@pytest.mark.parametrize("path", ["up/none.png", "up/deep", "up/pipe", "up/loop", "up/a\0.png"])
def test_what_is_no_file_is_refused(
    path: str, package: ModuleType, folder: Path, upstream: Upstream
) -> None:
    with pytest.raises(ToolError) as caught:
        Api(package, upstream.url).call("put", photo=f"{folder}/{path}")
    assert (caught.value.code, caught.value.category) == ("not_sendable", "validation")
    assert upstream.requests == []


def test_files_have_a_limit_together(package: ModuleType, folder: Path, upstream: Upstream) -> None:
    size = len(b"<up/a.png>")
    path = str(folder / "up/a.png")
    Api(package, upstream.url, max_upload_bytes=2 * size).call("add", photo=path, more=[path])
    with pytest.raises(ToolError, match="the file of `more` is too large"):
        Api(package, upstream.url, max_upload_bytes=2 * size - 1).call(
            "add", photo=path, more=[path]
        )
    assert len(upstream.requests) == 1


def test_a_file_that_is_left_out(package: ModuleType, upstream: Upstream) -> None:
    Api(package, upstream.url).call("add", title="None")
    assert b"filename" not in upstream.last.body


@pytest.mark.parametrize("pattern", ["~/**", "~/a.txt", "**/a.txt", "?.txt", "**"])
def test_patterns_begin_at_home_or_here(
    pattern: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upstream: Upstream
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "a.txt").write_text("here")
    (tmp_path / "a.txt").write_text("there")
    monkeypatch.setenv("HOME", str(home))
    http = {
        "method": "PUT",
        "path": "/",
        "body": {"argument": "file", "contentType": "text/plain"},
        "in": {"file": {"file": True}},
    }
    permissions = [{"file": pattern, "op": "read"}]
    value = document(tool("put", http, arguments={"file": PATH}, permissions=permissions))
    own = compiled(tmp_path / "project", monkeypatch, value)
    monkeypatch.chdir(home)
    Api(own, upstream.url).call("put", file="~/a.txt" if pattern[0] == "~" else "a.txt")
    assert upstream.last.body == b"here"
    with pytest.raises(ToolError) as caught:
        Api(own, upstream.url).call("put", file="../a.txt")
    assert caught.value.code == "file_not_allowed"
