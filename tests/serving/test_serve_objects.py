"""What `--handlers` may name: an object, a class, a module, a dict, a finished registry."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from served import LEGACY, TOOLSPEC, connected, make_project, stdio

CODE = """
import enum
import sys
from typing import Any

from generated.tiny import bind


class Colour(enum.Enum):
    RED = "red"


async def say(input: Any) -> str:
    return "said by " + __name__


class Tiny:
    def say(self, input: Any) -> str:
        return "said in a thread"


class Painted:
    async def say(self, input: Any) -> Any:
        return Colour.RED


one = Tiny()
functions = {"say": say}
registry = bind(one)
shared = bind(Painted()).with_controls(copies=False)
here = sys.modules[__name__]
"""

SPEC = """
toolspec: 1
service: {name: tiny, description: One tool.}
tools:
  - {name: say, description: Say it., outputSchema: {type: string}, mutation: false}
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.yaml").write_text(SPEC)
    project = make_project(folder / "project", folder / "tiny.yaml")
    (project / "app.py").write_text(CODE)
    return project


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app:Tiny", "said in a thread"),
        ("app:one", "said in a thread"),
        ("app:functions", "said by app"),
        ("app:registry", "said in a thread"),
        ("tiny=app:here", "said by app"),
    ],
)
def test_handlers_of_every_form(tiny: Path, name: str, expected: str) -> None:
    with connected(stdio(tiny, "--handlers", name), LEGACY) as client:
        assert client.call("tiny_say").structured_content == {"result": expected}


def test_what_is_printed_at_an_import_does_not_reach_the_protocol(tiny: Path) -> None:
    (tiny / "noisy.py").write_text(
        "import os\nfrom app import Tiny\nprint('printed')\nos.write(1, b'written')\n"
    )
    done = subprocess.run(
        [*TOOLSPEC, "serve", "--handlers", "noisy:Tiny"],
        cwd=tiny,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    assert "printed" in done.stderr
    assert "written" in done.stderr


def test_what_leaves_the_process_is_proven_whatever_the_registry_wants(tiny: Path) -> None:
    with connected(stdio(tiny, "--handlers", "app:shared"), LEGACY) as client:
        refused = client.call("tiny_say")
    assert refused.meta["toolspec"]["error"]["category"] == "output"


def test_a_person_may_be_left_out(lab: Path) -> None:
    with connected(stdio(lab, "--approve", "auto"), LEGACY, can_ask=False) as client:
        assert not client.call("lab_destroy", {"what": "it"}).is_error
    with connected(stdio(lab, "--approve", "ask"), LEGACY, can_ask=False) as client:
        refused = client.call("lab_destroy", {"what": "it"})
        assert refused.meta["toolspec"]["error"]["code"] == "approval_required"


def test_services_may_be_left_out(repository: Path) -> None:
    options = ("--service", "notes", "--service", "billing")
    with connected(stdio(repository, *options), LEGACY) as client:
        tools = client.portal.call(client.client.list_tools).tools
        assert {tool.name.partition("_")[0] for tool in tools} == {"billing", "notes"}
        assert tools[0].name.startswith("billing")
