"""What keeps a server from starting: each thing told in words, with status 2 and no traceback."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from lab_server import LAB
from sampling import sampled
from served import TOOLSPEC, make_project

MODULES = {
    "app.py": None,
    "broken.py": "value = 1\n\n\ndef early():\n    return 1 / (value - 1)\n\n\nearly()\n",
    "unwritten.py": "def f(:\n",
    "needy.py": "import not_there_at_all\n",
    "leaves.py": "import sys\n\nsys.exit(4)\n",
    "things.py": (
        "number = 7\n\n\ndef make():\n    return {}\n\n\nclass Picky:\n    def __init__(self, where):\n"
        "        self.where = where\n\n\nclass Half:\n    async def echo(self, input, ctx):\n"
        "        return {}\n\n\nhalf = {'echo': 3}\n"
    ),
    "odd.py": (
        "import sys\n\nfrom generated.lab import bind\n\n\n"
        "class Wordless(Exception):\n    def __str__(self):\n        raise ValueError\n\n\n"
        "class Leaves:\n    def __init__(self):\n        sys.exit(3)\n\n\n"
        "class Fails:\n    def __init__(self):\n        raise Wordless\n\n\n"
        "class Lazy:\n    def __getattr__(self, name):\n        raise RuntimeError(name)\n\n\n"
        "class Torn:\n    @property\n    def verify_token(self):\n        return self.nowhere\n\n\n"
        "class Bound:\n    def __init__(self):\n        bind({})\n\n\n"
        "lazy = Lazy()\ntorn = Torn()\n\n\n"
        "def __getattr__(name):\n    raise RuntimeError('too early')\n"
    ),
    "other.py": (
        "from generated.lab import bind\nfrom toolspec.runtime import Registry\n\nempty = Registry(())\n"
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, lab: Path) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "project"
    shutil.copytree(lab, folder)
    for name, text in MODULES.items():
        if text is not None:
            (folder / name).write_text(text)
    (folder / "bad.toml").write_text("[lob]\nx = 1\n")
    (folder / "broken.toml").write_text("[lab\n")
    (folder / "flat.json").write_text('{"lab": 3}')
    (folder / "poor.json").write_text('{"lab": {"loud": "very", "colour": 1}}')
    return folder


def refused(folder: Path, *options: str) -> str:
    done = subprocess.run(
        [*TOOLSPEC, "serve", *options],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "toolspec: serving" not in done.stderr
    return done.stderr


SETTINGS = ("--settings", "settings.toml")


@pytest.mark.parametrize(
    ("options", "expected"),
    sampled([
        (
            ("--handlers", "app"),
            ["toolspec: `app` names no object: write `module:object`, such as `app:Lab`\n"],
        ),
        (("--handlers", "ap:Lab"), ["there is no module `ap` in ", "did you mean `app`?"]),
        (("--handlers", "app.inner:Lab"), ["there is no module `app.inner` in "]),
        (
            ("--handlers", "broken:Lab"),
            ["importing `broken` failed: ZeroDivisionError", "broken.py:5: return 1 / (value - 1)"],
        ),
        (("--handlers", "unwritten:Lab"), ["failed: SyntaxError", "unwritten.py:1: def f(:"]),
        (
            ("--handlers", "needy:Lab"),
            ["importing `needy` failed: ModuleNotFoundError", "needy.py:1: import not_there_at_all"],
        ),
        (("--handlers", "leaves:Lab"), ["importing `leaves` failed: SystemExit: 4", "leaves.py:3"]),
        (("--handlers", "app:Lub"), ["`app` has no `Lub`; did you mean `Lab`?"]),
        (("--handlers", "things:number"), ["`things:number` is of type int, which has no handlers"]),
        (("--handlers", "things:make"), ["`things:make` is a function: name an object"]),
        (
            ("--handlers", "things:Picky"),
            ["`things:Picky` is a class and cannot be made without arguments: TypeError: ", "'where'\n  name an object of it instead\n"],
        ),
        (("--handlers", ".app:Lab"), ["`.app:Lab` names no object"]),
        (("--handlers", "app:Lab."), ["`app:Lab.` names no object"]),
        (("--handlers", "odd:Leaves"), ["arguments: SystemExit: 3\n", "odd.py:13: sys.exit(3)"]),
        (("--handlers", "odd:Fails"), ["arguments: Wordless\n", "odd.py:18: raise Wordless"]),
        (
            ("--handlers", "odd:Bound"),
            ["arguments: BindError: service `lab` cannot be bound: ", "  - no handler for `lab_echo`", "odd.py:34: bind({})"],
        ),
        (("--handlers", "odd:lazy"), ["the handlers of `lab` cannot be read: RuntimeError", "odd.py:23: raise RuntimeError(name)"]),
        (("--handlers", "odd:torn.verify_token"), ["`odd:torn.verify_token` cannot be read: AttributeError: ", "odd.py:29: return self.nowhere"]),
        (("--handlers", "odd:late"), ["`odd:late` cannot be read: RuntimeError: too early", "odd.py:42"]),
        (("--handlers", "leb=app:Lab"), ["no such service in ", "`leb`; did you mean `lab`?"]),
        (("--service", "leb"), ["no such service in ", "`leb`; did you mean `lab`?"]),
        (
            ("--handlers", "app:Lab", "--handlers", "lab=app:Lab"),
            ["two handlers for `lab`"],
        ),
        (
            ("--handlers", "things:Half", *SETTINGS),
            ["the services cannot be served", "no handler for `lab_list`: write `async def list_(self, input, ctx)`"],
        ),
        (("--handlers", "things:half", *SETTINGS), ["no handler for `lab_echo`"]),
        (
            ("--handlers", "app:Lab"),
            ["setting `$.greeting` is missing: set `TOOLSPEC_LAB_GREETING`, or `greeting` under `[lab]`"],
        ),
        (("--settings", "poor.json"), ["setting `$.loud` from the file: ", "setting `$.colour` from the file: is not known"]),
        (("--settings", "bad.toml"), ["the file names `lob`, which is not a service here; did you mean `lab`?"]),
        (("--settings", ""), ["'--settings': the value is empty"]),
        (("--handlers", "app:Lab", "--settings", "none.toml"), ["the settings in none.toml cannot be read"]),
        (("--handlers", "app:Lab", "--settings", "bad.toml"), ["the file names `lob`, which is not a service here; did you mean `lab`?"]),
        (("--handlers", "app:Lab", "--settings", "broken.toml"), ["`broken.toml` is not valid TOML: "]),
        (("--handlers", "app:Lab", "--settings", "flat.json"), ["`lab` is not a table"]),
        (
            ("--handlers", "app:Lab", "--settings", "poor.json"),
            ["setting `$.greeting` is missing", "setting `$.loud` from the file: ", "setting `$.colour` from the file: is not known"],
        ),
        ((*LAB, "--transport", "http", "--verifier", "things:number"), ["verifies no token"]),
        ((*LAB, "--transport", "http", "--verifier", "app:verifi"), ["did you mean `verify`?"]),
        ((*LAB, "--transport", "http", "--verifier", "odd:Leaves"), ["arguments: SystemExit: 3\n"]),
        ((*LAB, "--transport", "http", "--verifier", "odd:lazy"), ["`odd:lazy` cannot be read: RuntimeError: verify_token"]),
        ((*LAB, "--transport", "http", "--verifier", ""), ["'--verifier': the value is empty"]),
        ((*LAB, "--transport", "http", "--host", ""), ["'--host': the value is empty"]),
        ((*LAB, "--transport", "http", "--allow-host", ""), ["'--allow-host': the value is empty"]),
        ((*LAB, "--transport", "http", "--no-auth", "--allow-host", "http://a.example"), ["`http://a.example` is not a host name"]),
        ((*LAB, "--transport", "http", "--port", "0"), ["'--port'"]),
        ((*LAB, "--transport", "http", "--port", "65536"), ["'--port'"]),
        (("--verifier", "app:nope", "--workers", "2"), ["only with --transport http: --workers, --verifier\n"]),
        (("--host", "::", "--port", "8000", "--allow-host", "a.example"), ["only with --transport http: --host, --port, --allow-host\n"]),
        (("--workers", "0"), ["--workers"]),
    ], 10, rows=True),
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)  # fmt: skip
def test_a_fault_is_told_in_words(
    project: Path, options: tuple[str, ...], expected: list[str]
) -> None:
    said = refused(project, *options)
    for each in expected:
        assert each in said


def test_several_services_need_a_name(repository: Path) -> None:
    said = refused(repository, "--handlers", "json:dumps")
    assert "is a function" in said
    said = refused(repository, "--handlers", "json:decoder")
    assert "which service is `json:decoder` for? write `SERVICE=json:decoder`" in said


def test_a_folder_without_generated_code(tmp_path: Path) -> None:
    said = refused(tmp_path)
    assert f"there is no generated Python package in {tmp_path / 'generated'}" in said
    assert "run `toolspec compile`" in said


def test_a_build_without_the_manifests(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "toolspec.toml").parent.mkdir(exist_ok=True)
    (tmp_path / "toolspec.toml").write_text('targets = ["python"]\n')
    make_project(tmp_path, repository / "specs" / "notes.yaml")
    said = refused(tmp_path)
    assert "add the target `mcp-2026-07-28` and run `toolspec compile`" in said


def test_a_broken_configuration(tmp_path: Path) -> None:
    (tmp_path / "toolspec.toml").write_text("out = 3\n")
    done = subprocess.run(
        [*TOOLSPEC, "serve"], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "config/wrong-type" in done.stdout + done.stderr


def test_code_for_another_runtime(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    shutil.copytree(project, folder)
    package = folder / "generated" / "__init__.py"
    package.write_text(package.read_text().replace('require_runtime("', 'require_runtime("9.'))
    assert "run `toolspec compile` again" in refused(folder) or "install toolspec" in refused(
        folder
    )


@pytest.mark.parametrize(
    "damage",
    [
        ("__init__.py", "<<<<<<< HEAD\n", "generated package `generated` in "),
        ("lab/__init__.py", "1 / 0\n", "cannot be used: ZeroDivisionError: "),
        ("lab/__init__.py", "<<<<<<< HEAD\n", "__init__.py:1: <<<<<<< HEAD"),
        ("lab/__init__.py", "", "__init__.py contains no service: "),
        ("lab/schemas.py", "", "cannot be used: AttributeError: "),
        ("lab/schemas.py", "SCHEMAS = {}\n", "cannot be used: KeyError: "),
        ("lab/schemas.py", None, "cannot be used: ModuleNotFoundError: "),
        ("lab/__init__.py", None, "__init__.py contains no service: "),
        ("toolspec.lock.json", "<<<<<<< HEAD\n", "toolspec.lock.json is damaged: "),
    ],
)
@pytest.mark.parametrize("options", [(), LAB], ids=["a mock", "handlers"])
def test_generated_code_that_is_damaged(
    project: Path,
    tmp_path: Path,
    damage: tuple[str, str | None, str],
    options: tuple[str, ...],
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(project, folder, ignore=shutil.ignore_patterns("__pycache__"))
    name, text, expected = damage
    module = folder / "generated" / name
    module.unlink()
    if text is not None:
        module.write_text(text)
    said = refused(folder, *options)
    assert expected in said
    assert "run `toolspec compile`" in said


def test_a_package_of_somebody_else_beside_the_services_is_passed_over(
    project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    shutil.copytree(project, folder, ignore=shutil.ignore_patterns("__pycache__"))
    own = folder / "generated" / "own"
    own.mkdir()
    (own / "__init__.py").write_text("1 / 0\n")
    command = [*TOOLSPEC, "call", "lab_echo", "text=a"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_name_of_the_package_is_taken(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "taken"
    shutil.copytree(project, folder)
    (folder / "generated").rename(folder / "colorsys")
    (folder / "toolspec.toml").write_text('out = "colorsys"\n')
    said = refused(folder)
    assert "is called `colorsys`, as a module of Python is" in said
    assert "package = " in said
    (folder / "colorsys").rename(folder / "yaml")
    (folder / "toolspec.toml").write_text('out = "yaml"\npackage = "rich"\n')
    said = refused(folder)
    assert "`rich` is " in said


def test_a_registry_of_another_build(project: Path) -> None:
    (project / "older.py").write_text(
        "from toolspec.runtime import ServiceDefinition, ToolDefinition, bind_service\n\n\n"
        "async def echo(input):\n    return {}\n\n\n"
        "tool = ToolDefinition(name='echo', full_name='lab_echo', method='echo')\n"
        "old = ServiceDefinition(name='lab', tools=(tool,))\n"
        "registry = bind_service(old, {'echo': echo})\n"
    )
    assert "the registry was made from another build" in refused(
        project, "--handlers", "older:registry"
    )


def test_a_port_that_is_taken(project: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = refused(project, *LAB, "--transport", "http", "--no-auth", "--port", port)
    assert f"HTTP cannot be served on 127.0.0.1, port {port}: " in said


def test_a_thread_that_hangs_does_not_keep_the_server(project: Path) -> None:
    with subprocess.Popen(
        [*TOOLSPEC, "serve", *LAB], cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        call = {"name": "lab_hang", "arguments": {}}
        for number, (method, params) in enumerate([("initialize", hello), ("tools/call", call)]):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(f"{json.dumps(message)}\n".encode())
            server.stdin.flush()
            if number == 0:
                server.stdout.readline()
        server.stdin.close()
        assert server.wait(timeout=30) == 0


def test_the_schema_of_the_settings_is_not_quoted(project: Path) -> None:
    text = json.dumps({"lab": {"greeting": ["s3cret"]}})
    (project / "secret.json").write_text(text)
    assert "s3cret" not in refused(project, "--handlers", "app:Lab", "--settings", "secret.json")
