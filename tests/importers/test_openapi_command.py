"""`toolspec import openapi` as a command: options, files, applications, statuses."""

from __future__ import annotations

import json
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import forkserver
import pytest
import yaml
from openapi_documents import api, operation, result

PATHS = {
    "/pets": {"get": operation(operationId="listPets", tags=["pets"])},
    "/orders": {"post": operation(operationId="addOrder", tags=["orders"])},
}
APP = """
print("noise on standard output")

class App:
    class inner:
        @staticmethod
        def openapi():
            return {document}

app = App()
broken = object()
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [forkserver.toolspec(), "import", "openapi", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "api.json").write_text(json.dumps(api(PATHS)))
    (tmp_path / "toolspec.toml").write_text('specs = ["specs"]\n')
    return tmp_path


def test_an_import_reports_what_to_review(project: Path) -> None:
    done = run(project, "api.json", "--to", "specs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "specs/shop.yaml: 2 tools" in done.stdout
    assert "1 × import/effect-guessed" in done.stdout
    assert "Guesses to review" in done.stdout
    assert "add_order" in done.stdout


def test_verbose_shows_each_note_with_its_location(project: Path) -> None:
    done = run(project, "api.json", "--to", "specs", "-v", "--format", "short")
    assert "api.json:1:" in done.stdout
    assert "note[import/effect-guessed]" in done.stdout


def test_an_existing_document_is_kept_without_force(project: Path) -> None:
    run(project, "api.json", "--to", "specs")
    file = project / "specs" / "shop.yaml"
    file.write_text("mine")
    again = run(project, "api.json", "--to", "specs")
    assert again.returncode == 1
    assert "import/document-exists" in again.stdout
    assert file.read_text() == "mine"
    assert run(project, "api.json", "--to", "specs", "--force").returncode == 0
    assert file.read_text() != "mine"


def test_a_dry_run_writes_nothing(project: Path) -> None:
    done = run(project, "api.json", "--to", "specs", "--dry-run")
    assert done.returncode == 0
    assert "specs/shop.yaml: 2 tools" in done.stdout
    assert "Nothing was written." in done.stdout
    assert not (project / "specs").exists()


def test_options_choose_name_group_operations_and_effects(project: Path) -> None:
    options = [
        "--name",
        "store",
        "--group",
        "tag",
        "--exclude",
        "tag:pets",
        "--rule",
        "POST * write",
    ]
    assert run(project, "api.json", "--to", "specs", *options).returncode == 0
    (file,) = (project / "specs").iterdir()
    assert file.name == "store-orders.yaml"
    (tool,) = yaml.safe_load(file.read_text())["tools"]
    assert tool["annotations"] == {"destructiveHint": False}


USAGE = {
    "two names": (["api.json", "api.json", "--name", "a"], "--name requires a single file"),
    "update and force": (["api.json", "--update", "--force"], "choose one"),
    "rule": (["api.json", "--rule", "POST"], "import/bad-rule"),
}


@pytest.mark.parametrize("case", USAGE)
def test_wrong_options_are_refused(project: Path, case: str) -> None:
    arguments, problem = USAGE[case]
    done = run(project, *arguments, "--to", "specs")
    assert done.returncode == 2
    assert problem in done.stdout + done.stderr
    assert not (project / "specs").exists()


def test_several_files_make_several_services(project: Path) -> None:
    other = api({"/a": {"get": operation()}})
    other["info"]["title"] = "Library API"
    (project / "other.yaml").write_text(yaml.safe_dump(other))
    assert run(project, "api.json", "other.yaml", "--to", "specs").returncode == 0
    assert {file.name for file in (project / "specs").iterdir()} == {"shop.yaml", "library.yaml"}


def test_two_documents_of_one_name_do_not_replace_each_other(project: Path) -> None:
    (project / "twin.json").write_text(json.dumps(api({"/a": {"get": operation()}})))
    done = run(project, "api.json", "twin.json", "--to", "specs", "--force")
    assert done.returncode == 1
    assert "import/document-exists" in done.stdout
    assert len(yaml.safe_load((project / "specs" / "shop.yaml").read_text())["tools"]) == 2


@pytest.mark.parametrize("target", ["shop_app:app.inner", "pkg.shop:app.inner"])
def test_an_application_gives_its_document(project: Path, target: str) -> None:
    (project / "pkg").mkdir()
    for file in ("shop_app.py", "pkg/shop.py"):
        (project / file).write_text(APP.format(document=api(PATHS)))
    done = run(project, target, "--to", "specs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "noise" not in done.stdout
    tools = yaml.safe_load((project / "specs" / "shop.yaml").read_text())["tools"]
    assert [tool["name"] for tool in tools] == ["list_pets", "add_order"]


@pytest.mark.parametrize("target", ["shop_app:broken", "shop_app:nothing", "nowhere:app"])
def test_an_application_that_fails_is_an_error(project: Path, target: str) -> None:
    (project / "shop_app.py").write_text(APP.format(document=api(PATHS)))
    done = run(project, target, "--to", "specs")
    assert done.returncode == 1
    assert "import/app" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_file_that_is_missing_is_an_error(project: Path) -> None:
    done = run(project, "gone.yaml", "--to", "specs")
    assert done.returncode == 1
    assert "gone.yaml" in done.stdout


@pytest.mark.prove
def test_a_large_document_is_split_and_updated(project: Path) -> None:
    paths = {
        f"/things{number}/{{id}}": {
            "get": operation(
                description=f"{'Long words. ' * 300}{number}",
                parameters=[
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                responses=result({"$ref": "#/components/schemas/Thing"}),
            )
        }
        for number in range(280)
    }
    components = {
        "schemas": {"Thing": {"type": "object", "properties": {"id": {"type": "string"}}}}
    }
    (project / "large.json").write_text(json.dumps(api(paths, components=components)))
    done = run(project, "large.json", "--to", "specs")
    assert done.returncode == 0, done.stdout + done.stderr
    document = yaml.safe_load((project / "specs" / "shop.yaml").read_text())
    assert document["include"][:2] == ["shop/schemas-1.yaml", "shop/tools-1.yaml"]
    assert len(document["include"]) > 2
    before = {path: path.read_bytes() for path in (project / "specs").rglob("*.yaml")}
    assert run(project, "large.json", "--to", "specs", "--update").returncode == 0
    assert {path: path.read_bytes() for path in before} == before
    paths["/things0/{id}"]["get"]["description"] = "Short."
    (project / "large.json").write_text(json.dumps(api(paths, components=components)))
    assert run(project, "large.json", "--to", "specs", "--update").returncode == 0
    changed = [path.name for path, content in before.items() if path.read_bytes() != content]
    assert sorted(changed) == ["shop.yaml", "tools-1.yaml"]
    small = api({"/a": {"get": operation()}})
    (project / "large.json").write_text(json.dumps(small))
    assert run(project, "large.json", "--to", "specs", "--force").returncode == 0
    assert [path.name for path in (project / "specs").rglob("*.yaml")] == ["shop.yaml"]


class Echo(BaseHTTPRequestHandler):
    """Answers each request with what it was."""

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        names = ("Content-Type", "Idempotency-Key")
        answer = json.dumps(
            {
                "path": self.path,
                "body": self.rfile.read(length).decode(),
                "headers": {name: self.headers.get(name) for name in names},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


def test_an_imported_operation_is_called(tmp_path: Path) -> None:
    text = {"type": "string"}
    schema = {"type": "object", "properties": {"name": text, "age": {"type": "integer"}}}
    post = operation(
        operationId="addPet",
        parameters=[
            {"name": "id", "in": "path", "required": True, "schema": text},
            {"name": "tags[]", "in": "query", "schema": {"type": "array", "items": text}},
            {"name": "Idempotency-Key", "in": "header", "schema": text},
        ],
        requestBody={
            "required": True,
            "content": {"application/x-www-form-urlencoded": {"schema": schema}},
        },
        responses={"200": {"description": "", "content": {"application/json": {}}}},
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        document = api({"/pets/{id}": {"post": post}})
        document["servers"] = [{"url": f"http://127.0.0.1:{server.server_port}/v1"}]
        (tmp_path / "api.json").write_text(json.dumps(document))
        (tmp_path / "toolspec.toml").write_text('specs = ["specs"]\n')
        assert run(tmp_path, "api.json", "--to", "specs").returncode == 0
        arguments = [
            "id=a/b",
            'tags=["x"]',
            "name=Rex",
            "age=3",
            "idempotency_key=0123456789abcdef",
        ]
        upstream = ["--upstream", "--private-upstream", "--yes"]
        for command in (["compile"], ["call", "shop_add_pet", *arguments, *upstream]):
            done = subprocess.run(
                [forkserver.toolspec(), *command],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
    finally:
        server.shutdown()
        server.server_close()
    assert json.loads(done.stdout) == {
        "path": "/v1/pets/a%2Fb?tags%5B%5D=x",
        "body": "name=Rex&age=3",
        "headers": {
            "Content-Type": "application/x-www-form-urlencoded",
            "Idempotency-Key": "0123456789abcdef",
        },
    }
