"""What a document names: files are read below the project only, and addresses never."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from forked_runs import Run, run_all

HIDDEN = "what nobody may see"
PORT = 47811
URL = f"http://127.0.0.1:{PORT}"


def document(**parts: Any) -> dict[str, Any]:
    tool = {
        "name": "ping",
        "description": "Answer a call.",
        "mutation": False,
        "outputSchema": {"type": "string"},
    }
    service = {"name": "demo", "description": "A demo."}
    return {"toolspec": 1, "service": service, "tools": [tool | parts.pop("tool", {})], **parts}


def project(folder: Path, content: dict[str, Any], suffix: str = ".json") -> Path:
    """Return a project of one document, the only one that is asked for; YAML reads its JSON too."""
    (folder / "specs").mkdir(parents=True)
    (folder / "toolspec.toml").write_text(f'specs = ["specs/demo{suffix}"]\n')
    (folder / "specs" / f"demo{suffix}").write_text(json.dumps(content))
    return folder


def compiled(projects: list[Path]) -> list[Run]:
    runs = run_all([(each, ["compile"]) for each in projects])
    for run in runs:
        assert run.status in {0, 1}, run
        assert run.events == ()
    return runs


REFERENCES = (
    ("include", "../secret.json"),
    ("include", "link.json"),
    ("include", "linked/secret.json"),
    ("include", "linked/*.json"),
    ("include", "**/secret.json"),
    ("include", "/etc/passwd"),
    ("include", "~/secret.json"),
    ("include", "file:../secret.json"),
    ("$ref", "../../secret.json"),
    ("$ref", "link.json#/$defs/Secret"),
    ("$ref", "linked/secret.json#/$defs/Secret"),
    ("$ref", "..%2f..%2fsecret.json"),
    ("$ref", "/etc/passwd"),
    ("$ref", "file:///etc/passwd"),
)


# What a file system can't answer, or would answer with too much work.
AWKWARD = (
    "C" * 300 + ".json",
    "x/" * 3000 + "y.json",
    "*/" + "C" * 300,
    "loop.json",
    "loop*.json",
    "**/loop.json",
    "self/*/x.json",
    "[",
    "[!a",
    "**/*/**/*/**/*/**/*/x.json",
    "demo.json/x.json",
    "nul.json\0",
    "\u202egnp.exe",
)


def with_reference(key: str, path: str) -> dict[str, Any]:
    if key == "include":
        return document(include=[path])
    return document(tool={"outputSchema": {"$ref": path}})


def test_nothing_outside_the_project_is_read(tmp_path: Path) -> None:
    secret = json.dumps({"$defs": {"Secret": {"description": HIDDEN, "type": 1}}})
    (tmp_path / "elsewhere").mkdir()
    for path in ("elsewhere/secret.json", "secret.json"):
        (tmp_path / path).write_text(secret)
    projects = []
    for number, reference in enumerate(REFERENCES):
        each = project(tmp_path / str(number), with_reference(*reference))
        (each / "specs" / "link.json").symlink_to(tmp_path / "secret.json")
        (each / "specs" / "linked").symlink_to(tmp_path / "elsewhere")
        projects.append(each)
    for reference, run in zip(REFERENCES, compiled(projects), strict=True):
        assert run.status == 1, reference
        assert HIDDEN not in run.stdout + run.stderr, reference
    assert not any((each / "generated").exists() for each in projects)


@pytest.mark.prove
def test_a_name_that_no_file_can_have_is_a_finding(tmp_path: Path) -> None:
    references = [(key, path) for key in ("include", "$ref") for path in AWKWARD]
    projects = []
    for number, reference in enumerate(references):
        each = project(tmp_path / str(number), with_reference(*reference))
        (each / "specs" / "loop.json").symlink_to("loop.json")
        (each / "specs" / "self").symlink_to(".")
        (each / "specs" / "/".join("d" * 50)).mkdir(parents=True)
        projects.append(each)
    for reference, run in zip(references, compiled(projects), strict=True):
        assert run.status == 1, reference
        assert "specs/demo.json:1:" in run.stdout, reference


@pytest.mark.prove
def test_the_file_that_a_link_in_the_project_leads_to_is_read(tmp_path: Path) -> None:
    each = project(tmp_path, document(include=["link.json"]))
    part = {"tools": {"hum": {"description": "Hum.", "mutation": False, "outputSchema": True}}}
    (each / "part.json").write_text(json.dumps(part))
    (each / "specs" / "link.json").symlink_to("../part.json")
    (run,) = compiled([each])
    assert run.status == 0, run.stdout
    assert "demo_hum" in run.stdout


@pytest.mark.prove
def test_a_link_among_the_documents_is_followed_only_inside_or_by_name(tmp_path: Path) -> None:
    each = project(tmp_path / "project", document())
    (each / "toolspec.toml").unlink()
    (tmp_path / "elsewhere").mkdir()
    other = json.dumps(document()).replace('"demo"', '"other"')
    for path in (tmp_path / "elsewhere" / "other.json", each / "other.json"):
        path.write_text(other)
    (tmp_path / "elsewhere" / "token.yaml").write_text(HIDDEN)
    links = each / "specs"
    (links / "folder").symlink_to(tmp_path / "elsewhere")
    for name in ("token.yaml", "other.json"):
        (links / name).symlink_to(tmp_path / "elsewhere" / name)
    (links / "inside.json").symlink_to("../other.json")
    commands = {
        (): 1,
        ("specs/*",): 1,
        ("specs/*/*.json",): 1,
        ("specs/demo.json", "specs/inside.json"): 0,
        ("specs/demo.json", "specs/other.json"): 0,
        ("../elsewhere/o*.json",): 0,
        ("specs/folder/other.json",): 0,
    }
    runs = run_all([(each, ["check", *paths]) for paths in commands])
    for (paths, status), run in zip(commands.items(), runs, strict=True):
        assert run.status == status, (paths, run)
        assert ("project/outside-link" in run.stdout) == bool(status), (paths, run)
        assert HIDDEN not in run.stdout


@contextmanager
def canary() -> Iterator[list[str]]:
    """Yield the requests that reach the address which every document here names."""
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "string"}')

        def log_message(self, format: str, *args: object) -> None:
            pass

    ThreadingHTTPServer.allow_reuse_address = True
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield hits
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def calling_documents() -> list[dict[str, Any]]:
    """Return documents that name the canary wherever an address can stand."""
    schemas: list[dict[str, Any]] = [
        {"$ref": f"{URL}/ref"},
        {"$ref": f"//127.0.0.1:{PORT}/relative"},
        {"$ref": f"{URL}/ref#/$defs/A"},
        {"$schema": f"{URL}/dialect", "type": "object"},
        {"$id": f"{URL}/id/", "type": "object", "properties": {"a": {"$ref": "other"}}},
        {"$id": f"{URL}/id", "type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
        {"$id": f"{URL}/id", "type": "object"},
        {"$dynamicRef": f"{URL}/dynamic"},
        {"$recursiveRef": f"{URL}/recursive"},
        {"$vocabulary": {f"{URL}/vocabulary": True}, "type": "object"},
        {"type": "object", "properties": {"a": {"$schema": f"{URL}/inner", "type": "string"}}},
        {"allOf": [{"if": {"$ref": f"{URL}/if"}}], "type": "object"},
        {"type": "object", "$defs": {"A": {"$id": f"{URL}/b", "$anchor": "a", "type": "string"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": f"{URL}/draft-07"},
        {"enum": [{"$ref": f"{URL}/enum"}], "default": {"$ref": f"{URL}/default"}},
        {"type": "string", "format": "uri", "default": f"{URL}/text", "examples": [f"{URL}/e"]},
    ]
    own: list[dict[str, Any]] = [document(tool={"outputSchema": each}) for each in schemas]
    own += [
        document(tool={"inputSchema": each | {"type": "object"}, "examples": [{"output": ""}]})
        for each in schemas
    ]
    own += [document(**{"$defs": {"A": each}}) for each in schemas]
    whole = document(include=[f"{URL}/include.json"])
    whole["service"] |= {
        "icons": [{"src": f"{URL}/icon.png"}],
        "settings": {"type": "object", "properties": {"a": {"$ref": f"{URL}/settings"}}},
        "auth": {"type": "oauth2", "authorizationUrl": f"{URL}/a", "tokenUrl": f"{URL}/t"},
    }
    plain = document(tool={"source": {"kind": "openapi", "location": f"{URL}/openapi.json"}})
    plain["service"]["auth"] = whole["service"]["auth"]
    plain["service"]["description"] = f"See {URL}/text and ![x]({URL}/image)."
    plain["$schema"] = f"{URL}/document"
    return [*own, whole, plain]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.prove)])
def test_no_address_is_ever_called(tmp_path: Path, step: int) -> None:
    with canary() as hits:
        projects = [
            project(tmp_path / str(number), content, (".json", ".yaml")[number % 2])
            for number, content in enumerate(calling_documents()[::step])
        ]
        runs = compiled(projects)
    assert hits == []
    assert {run.status for run in runs} == {0, 1}


def test_the_canary_hears(tmp_path: Path) -> None:
    from urllib.request import urlopen

    del tmp_path
    with canary() as hits:
        urlopen(f"{URL}/heard").close()  # noqa: S310 - the test's own server
    assert hits == ["/heard"]
