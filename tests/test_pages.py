"""Runs README.md and docs/ as a reader would: files are written, commands run, output compared.

A block with a path in its info string (`yaml specs/x.yaml`) is the content of that file. In a `console`
block a line after `$ ` is a command, and what follows is all that it prints. `cd` holds for the rest of
the page, a command that ends in ` &` runs until the page ends. A `toml` block without a path is a whole
`toolspec.toml`, which `toolspec check` has to accept. Pages name the port 8000; each gets a free one.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import forkserver
import pytest
import toolspec.runtime
from toolspec.driver.config import _KEYS
from toolspec.runtime import (
    Caller,
    Context,
    Failure,
    Limits,
    OAuth,
    Outcome,
    PolicySource,
    Question,
    Rate,
    Registry,
    Retries,
    Rule,
    ToolError,
)
from toolspec.runtime.controls import Controls
from toolspec.targets import discovery

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LONG = {"clients", "coming-from", "deploying", "large-projects", "serving"}
"""Pages whose blocks take seconds, since they start servers or compile for long."""
BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")

EXEMPT = ("make ", "pip install ", "uvx ")
"""Beginnings of commands that install something, or run the tests."""

BINARIES = os.pathsep.join(
    [str(forkserver.toolspec().parent), str(Path(sys.executable).parent), os.environ["PATH"]]
)
ENVIRONMENT = {**os.environ, "PATH": BINARIES, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}

PORT = "8000"
SERVED = re.compile(r"^(?:toolspec: )?serving http://\S+(?: on (?P<file>\S+))?$", re.MULTILINE)
PATIENCE = 30
"""Seconds for a server to say that it serves."""


class Page:
    """A page in a folder of its own, and what it has started there."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = folder
        self.text = path.read_text(encoding="utf-8")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = str(probe.getsockname()[1])
        self.servers: list[subprocess.Popen[str]] = []
        self.outputs: list[tuple[str, str, str]] = []
        """Of each command: itself, what the page says that it prints, and what it printed."""

    def run(self) -> None:
        """Run all blocks, the last of them in the folder that the page has come to."""
        try:
            for block in BLOCK.finditer(self.text):
                self._run(block["info"], block["body"])
        finally:
            for server in self.servers:
                os.killpg(server.pid, signal.SIGINT)
                server.communicate(timeout=PATIENCE)

    def _run(self, info: str, body: str) -> None:
        language, _, name = info.partition(" ")
        if name:
            self._write(name, body)
        elif language == "toml":
            self._write("toolspec.toml", body)
            done = self._done("toolspec check")
            assert done.returncode == 0, done.stdout
        else:
            assert language == "console", f"a block of unknown kind: `{info}`"
            for command, expected in commands(body):
                if not command.startswith(EXEMPT):
                    self.outputs.append((command, expected, self._output(command)))

    def _write(self, name: str, body: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self._with_port(body), encoding="utf-8")

    def _output(self, command: str) -> str:
        if command.startswith("cd "):
            self.folder /= command.removeprefix("cd ")
            return ""
        if command.endswith(" &"):
            output = self._started(command.removesuffix(" &"))
        else:
            output = self._done(self._with_port(command)).stdout
        if output and not output.endswith("\n"):
            output += "\n"
        return output.replace(self.port, PORT)

    def _done(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def _started(self, command: str) -> str:
        """Return what a server prints up to its address, once it can be reached there.

        That is the port of the page, or a Unix socket.
        """
        server = subprocess.Popen(
            shlex.split(self._with_port(command)),
            cwd=self.folder,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.servers.append(server)
        assert server.stdout is not None
        said = ""
        guard = threading.Timer(PATIENCE, server.kill)
        guard.start()
        until = time.monotonic() + PATIENCE
        while not (served := SERVED.search(said)) and server.poll() is None:
            said += server.stdout.readline()
        guard.cancel()
        file = served and served["file"]
        address = str(self.folder / file) if file else ("127.0.0.1", int(self.port))
        while time.monotonic() < until and server.poll() is None:
            with socket.socket(socket.AF_UNIX if file else socket.AF_INET) as probe:
                if probe.connect_ex(address) == 0:
                    return said
            time.sleep(0.05)
        pytest.fail(f"`{command}` serves nothing: {said}")

    def _with_port(self, text: str) -> str:
        return text.replace(PORT, self.port)


def commands(body: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a console block, each with its output."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def accepted(page: Page) -> str:
    """Return the text of a page with the output that its commands had, in order."""
    at, text = 0, page.text
    for command, expected, output in page.outputs:
        old, new = f"$ {command}\n{expected}", f"$ {command}\n{output}"
        start = text.index(old, at)
        text = text[:start] + new + text[start + len(old) :]
        at = start + len(new)
    return text


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.prove] if path.stem in LONG else [])
        for path in PAGES
    ],
)
def test_every_block_runs_as_written(path: Path, tmp_path: Path, accept: bool) -> None:
    page = Page(path, tmp_path)
    page.run()
    if accept:
        path.write_text(accepted(page), encoding="utf-8")
        return
    for command, expected, output in page.outputs:
        assert output == expected, command


def test_every_file_is_formatted(tmp_path: Path, accept: bool) -> None:
    blocks: dict[Path, tuple[Path, str]] = {}
    for path in PAGES:
        for block in BLOCK.finditer(path.read_text(encoding="utf-8")):
            name = block["info"].partition(" ")[2]
            if name.startswith("specs/") or name.endswith(".py"):
                # A folder for each page: they have files of one name.
                file = tmp_path / "specs" / path.stem / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block["body"], encoding="utf-8")
                blocks[file] = path, block["body"]
    for command in ("toolspec fmt specs", "ruff format --isolated --line-length 100 ."):
        # A document that shows an error is left as it is.
        subprocess.run(command.split(), cwd=tmp_path, env=ENVIRONMENT, check=False)
    for file, (path, body) in blocks.items():
        formatted = file.read_text(encoding="utf-8")
        if accept:
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(body, formatted), encoding="utf-8")
        else:
            assert body == formatted, path.name


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_python_file_of_a_page_is_run(path: Path) -> None:
    blocks = [(match["info"], match["body"]) for match in BLOCK.finditer(path.read_text())]
    consoles = "".join(body for info, body in blocks if info == "console")
    modules = [body for info, body in blocks if info.startswith("python ")]
    for info, body in blocks:
        language, _, name = info.partition(" ")
        if language == "python":
            assert name, "a block of Python without a file is never run"
            module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            others = [each for each in modules if each is not body]
            assert re.search(rf"\b{re.escape(module)}\b", consoles.replace("/", ".")) or any(
                re.search(rf"(from|import) {re.escape(module)}\b", each) for each in others
            ), f"{name} is neither run nor imported"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in LINK.findall(BLOCK.sub("", path.read_text())):
        name, _, heading = target.partition("#")
        if "://" in target:
            continue
        linked = (path.parent / name) if name else path
        assert linked.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.+)$", BLOCK.sub("", linked.read_text()), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in titles}
            assert heading in anchors, target


def test_first_commands_are_the_makefile_s(repository: Path) -> None:
    readme = (repository / "README.md").read_text()
    first = next(match["body"] for match in BLOCK.finditer(readme))
    assert [command for command, _ in commands(first)][:2] == ["make compile", "make test"]
    makefile = (repository / "Makefile").read_text()
    assert "\ncompile:" in makefile
    assert "\ntest:" in makefile


def test_readme_is_short(repository: Path) -> None:
    assert len((repository / "README.md").read_text().splitlines()) <= 160


def test_readme_links_every_page(repository: Path) -> None:
    linked = set(LINK.findall((repository / "README.md").read_text()))
    assert {f"docs/{path.name}" for path in PAGES[1:]} <= linked


# What exists is named.

TABLES = {
    "The document": "",
    "`service`": "service",
    "`service.auth`, OAuth 2.0": "authOauth2",
    "`service.auth`, fields of your own": "authCustom",
    "`service.auth.tokenResponse`": "tokenResponse",
    "`service.instances`": "instance",
    "`service.modes`": "mode",
    "Tools": "tool",
    "`annotations`": "annotations",
    "`http`": "http",
    "`http.in`": "httpArgument",
    "`http.body`": "httpBody",
    "`http.security`": "httpCredential",
    "`scopes`": "scopeRule",
    "`permissions`": "permission",
    "`timeout`": "timeout",
    "`limits`": "limits",
    "`icons`": "iconObject",
    "`deprecated`": "deprecation",
    "`errors`": "error",
    "`examples`": "example",
    "`risk`": "risk",
    "`source`": "source",
    "Included files": "fragment",
    "Schemas": "schemaKeywords",
}
"""The headings of docs/language.md and the definition that the table below each describes."""

UNNAMED = {"auth", "authNone", "objectSchema"}
"""Definitions with fields that another table has too."""


IMPLIED = {"any"}
"""Required fields of which the page does not say so: a mapping has no other field."""


def rows(page: str) -> dict[str, dict[str, str]]:
    """Return the rows of the table below each heading: what a name in the first column has behind it."""
    found: dict[str, dict[str, str]] = {}
    for section in re.split(r"^#+ ", page, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        cells = re.findall(r"^\| (`[^|]+) \| (.+) \|$", BLOCK.sub("", text), re.MULTILINE)
        found[heading] = {
            name: content for names, content in cells for name in re.findall(r"`([^`]+)`", names)
        }
    return found


def test_the_language_page_has_every_field(repository: Path) -> None:
    schema = json.loads((repository / "schemas" / "service.v1.schema.json").read_text())
    with_fields = {name for name, each in schema["$defs"].items() if "properties" in each}
    assert with_fields == set(filter(None, TABLES.values())) | UNNAMED
    page = rows((repository / "docs" / "language.md").read_text())
    for heading, name in TABLES.items():
        definition = schema["$defs"][name] if name else schema
        fields = page[heading]
        assert fields.keys() == definition["properties"].keys(), heading
        required = {name for name, content in fields.items() if "Required" in content}
        assert required == set(definition.get("required", ())) - IMPLIED, heading
        for field, each in definition["properties"].items():
            default = each.get("default")
            if isinstance(default, str):
                assert f"`{default}`" in fields[field], f"{heading}: {field}"


def options() -> dict[str, set[str]]:
    """Return the options of each verb."""
    text = (ROOT / "compiler" / "toolspec" / "cli" / "help.txt").read_text()
    found: dict[str, set[str]] = {}
    for section in re.split(r"^Usage: toolspec ?", text, flags=re.MULTILINE)[1:]:
        verb = section.partition("[")[0].strip()
        found[verb] = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", section, re.MULTILINE))
    return found


RECORDS = (
    Caller,
    Controls,
    Failure,
    Limits,
    OAuth,
    Outcome,
    PolicySource,
    Question,
    Rate,
    Retries,
    Rule,
)
"""What programs make or get from the runtime: its fields are named on the pages."""


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def every_name() -> dict[str, set[str]]:
    """Return all that the pages have to name as code, by what it is."""
    factories = {name for name, each in vars(ToolError).items() if isinstance(each, classmethod)}
    return {
        **{kind.__name__: set(kind.__annotations__) for kind in RECORDS},
        "Context": {f"ctx.{name}" for name in public(Context)},
        "Registry": {f"registry.{name}" for name in public(Registry)},
        "ToolError": {f"ToolError.{name}" for name in factories - {"_of", "from_wire"}},
        "toolspec.runtime": set(toolspec.runtime.__all__),
        "configuration": set(_KEYS),
        "targets": set(discovery.names()),
        "verbs": {f"toolspec {verb}" for verb in options() if verb},
        "options": set().union(*options().values()),
    }


def code_of(page: str) -> str:
    """Return what a page has as code, in blocks and within sentences."""
    blocks = [match["body"] for match in BLOCK.finditer(page)]
    return "\n".join([*blocks, *re.findall(r"`([^`]+)`", BLOCK.sub("", page))])


def is_named(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


@pytest.mark.parametrize("what", every_name())
def test_everything_is_named(what: str) -> None:
    text = "\n".join(code_of(path.read_text()) for path in PAGES)
    names = every_name()[what]
    assert names
    assert [name for name in sorted(names) if not is_named(name, text)] == []


@pytest.mark.parametrize(
    ("verb", "page"), [("serve", "serving"), ("call", "clients"), ("compile", "ci")]
)
def test_a_table_has_every_option_of_a_verb(verb: str, page: str) -> None:
    tables = rows((ROOT / "docs" / f"{page}.md").read_text())
    named = " ".join(name for table in tables.values() for name in table)
    assert options()[verb] - {"--help"} <= set(re.findall(r"--[a-z-]+", named))


@pytest.mark.prove
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_python_of_pages_is_typed(path: Path, tmp_path: Path) -> None:
    """What readers copy passes mypy as they run it, against the generated package."""
    files = []
    for block in BLOCK.finditer(path.read_text(encoding="utf-8")):
        name = block["info"].partition(" ")[2]
        if name.endswith((".py", ".yaml")):
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block["body"], encoding="utf-8")
            files += [name] if name.endswith(".py") else []
    if not files:
        return
    # Dask has no types.
    options = ["--strict", "--allow-untyped-calls", "--no-error-summary"]
    compiles = [["toolspec", "compile"]] if (tmp_path / "specs").exists() else []
    for command in (*compiles, ["mypy", *options, *files]):
        done = subprocess.run(
            command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
