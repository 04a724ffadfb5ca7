"""Compiled templates write what Jinja2 writes, and a compile does not import Jinja2."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from sampling import sampled
from toolspec.driver.build import Request, check
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.targets.docs import render as docs
from toolspec.targets.docs.build_view import service_view as docs_view
from toolspec.targets.docs.calling import ProgramOptions
from toolspec.targets.python import emit as python
from toolspec.targets.python.make_view import build_view, service_view
from toolspec.targets.templates import Templates


def in_jinja(templates: Templates) -> Templates:
    """Return the same templates, run by Jinja2."""
    return Templates(
        templates._folder, templates._escape, names=templates._names, filters=templates._filters
    )


def test_compiled_templates_write_what_jinja_writes(repository: Path) -> None:
    services = check(Request(folder=repository)).value.program.services
    assert len(services) > 5
    views: list[tuple[Templates, str, dict[str, object]]] = [
        (python.templates(), "package.py", {"build": build_view([s.names for s in services])})
    ]
    for service in services:
        for is_binary in (False, True):
            view: dict[str, object] = {"service": service_view(service, is_binary=is_binary)}
            views += [
                (python.templates(), file, view)
                for file in python.FILES
                if file != python.HTTP or any(tool.http for tool in service.tools)
            ]
        page = docs_view(service, LoweredTools(), ProgramOptions())
        views.append((docs.templates(), "service.md", {"service": page}))
    for templates, name, view in views:
        compiled = templates.render(f"{name}.jinja", view)
        in_both = in_jinja(templates).render(f"{name}.jinja", view)
        assert (compiled.text, compiled.codes) == (in_both.text, in_both.codes)
        assert templates._runtime


@pytest.mark.parametrize("command", sampled(["compile", "handlers"], 1))
def test_jinja_is_imported_for_the_users_templates_alone(command: str, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(
        "toolspec: 1\nservice: {name: demo, description: A service for tests.}\n"
        "tools:\n  - {name: ask, description: Answer., outputSchema: {type: string}, mutation: false}\n"
    )
    (tmp_path / "mine.py").write_text("class Demo:\n    pass\n")
    (tmp_path / "toolspec.toml").write_text('handlers = {demo = "mine.py"}\n')
    program = (
        "import sys, toolspec.cli.app\n"
        f"toolspec.cli.app.app({[command, *(['--apply'] if command == 'handlers' else [])]!r}, "
        "standalone_mode=False)\n"
        "print('jinja2' in sys.modules)"
    )
    run = partial(
        subprocess.run, [sys.executable, "-c", program], cwd=tmp_path, text=True, check=False
    )
    done = run(capture_output=True)
    assert done.stdout.splitlines()[-1] == "False", done.stdout + done.stderr
