"""The options of the application for other ASGI servers: their mistakes, their defaults, their page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sampling import sampled
from served import LEGACY, connected, free_port, listening
from toolspec.serving.app_options import APP_KEYS, app_options
from toolspec.serving.command_options import COMMAND_OPTIONS
from toolspec.serving.errors import ServeError
from toolspec.serving.options import VARIABLE, Options
from toolspec.shared.records import replace

MISTAKES = {
    "handlers": "app:Lab",
    "services": ["lab", 3],
    "port": "80",
    "seed": 1.5,
    "no_auth": 1,
    "head_timeout": 0,
    "shutdown_timeout": 3601,
    "log_level": "loud",
    "approve_tiers": ["host"],
    "path": "/livez",
    "key": "s3cret",
    "host": "",
    "settings": None,
    "allow-origin": ["https://app.example"],
    "--trust-proxy": ["unix"],
    "sesions": True,
    "nothing-like-it": 1,
}
LINES = """
  `allow-origin` is not a key: write `origins`
  `--trust-proxy` is not a key: write `proxies`
  `sesions` is not a key; did you mean `sessions`?
  `nothing-like-it` is not a key
  `handlers` must be a list of texts
  `services` must be a list of texts
  `port` must be a whole number
  `seed` must be a whole number
  `no_auth` must be `true` or `false`
  `head_timeout` must be at least 1
  `shutdown_timeout` must be from 0 to 3600
  `log_level` must be one of `debug`, `info`, `warning`, `error`
  `approve_tiers` must have 2 items
  `path` cannot be used: write it as in `/tools/mcp`; `/livez`, `/readyz` and `/.well-known` are taken
  `key` cannot be used: write bytes as hex digits
  `host`: the value is empty
  `settings` must be a text
""".strip("\n").splitlines()


def test_all_mistakes_are_reported_at_once_without_values() -> None:
    with pytest.raises(ServeError) as caught:
        app_options(json.dumps(MISTAKES))
    heading, *lines, last = caught.value.lines
    assert heading == f"`{VARIABLE}` has no valid server options:"
    assert lines == LINES
    assert last.startswith("  the keys are `folder`, `package`, `approve_tiers`, ")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("{", "is not valid JSON: Expecting property name"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "is not a JSON object"),
        ('{"no_auth": true, "verifier": "app:verify"}', "exclude each other"),
        ('{"private_upstream": true}', "only with --upstream"),
    ],
)
def test_other_mistakes_are_reported(text: str, reason: str) -> None:
    with pytest.raises(ServeError, match=reason):
        app_options(text)


def test_the_defaults_are_those_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = Options(folder=str(tmp_path / "generated"), package="generated", transport="http")
    assert app_options("{}") == expected
    assert app_options(expected.to_text()) == expected
    found = app_options('{"folder": "out/tools", "origins": ["https://app.example"]}')
    assert (found.folder, found.package) == (str(tmp_path / "out" / "tools"), "out.tools")
    assert found.origins == ("https://app.example",)
    full = replace(
        expected, approve="host", approve_tiers=("ask", "auto"), sessions=True, key="00ff", port=80
    )
    assert app_options(full.to_text()) == full
    monkeypatch.setenv("TOOLSPEC_STORE", "memory:")
    assert app_options("{}").store == "memory:"


def test_the_page_has_the_keys_that_options_do_not_tell(repository: Path) -> None:
    page = (repository / "docs" / "serving.md").read_text()
    section = page.partition("### Your own ASGI server\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE)
    told = {
        name: option
        for name, option in APP_KEYS.items()
        if option in COMMAND_OPTIONS and not option.flag
    }
    assert [name for name, _ in rows] == [name for name in APP_KEYS if name not in told]
    options = page.partition("### Your own")[0]
    assert all(f"`{option.words}" in options for option in told.values())
    for name, text in rows:
        if (option := APP_KEYS[name]) in COMMAND_OPTIONS:
            assert text == f"a list, as `{option.words}`"
    [ignored] = re.findall(r"does not reload: (.*) have no effect", section)
    fields = json.loads(Options(folder="", package="").to_text())
    assert {*re.findall(r"`(\w+)`", ignored)} == fields.keys() - APP_KEYS.keys()


def uvicorn(port: int) -> list[str]:
    factory = ("--factory", "toolspec.serving.serve:app")
    return [sys.executable, "-m", "uvicorn", *factory, "--port", str(port)]


@pytest.mark.prove
def test_uvicorn_serves_the_documented_options(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    options: dict[str, Any] = {
        "handlers": ["app:Lab"],
        "no_auth": True,
        "settings": "settings.toml",
    }
    monkeypatch.setenv(VARIABLE, json.dumps(options))
    with (
        listening(lab, uvicorn(port), port),
        connected(f"http://127.0.0.1:{port}/mcp", LEGACY) as client,
    ):
        assert not client.call("lab_list").is_error


@pytest.mark.parametrize(
    ("variables", "reason"),
    sampled(
        [
            ({VARIABLE: '{"handlers": "app:Lab"}'}, "`handlers` must be a list of texts\n"),
            ({VARIABLE: '{"folder": "gone"}'}, "there is no generated Python package in "),
            ({f"{VARIABLE}_FILE": "gone"}, f"the file in `{VARIABLE}_FILE`, gone: No such file"),
        ],
        1,
        rows=True,
    ),
)
def test_uvicorn_prints_a_mistake_without_a_traceback(
    lab: Path, variables: dict[str, str], reason: str
) -> None:
    done = subprocess.run(
        uvicorn(free_port()),
        cwd=lab,
        env={**os.environ, **variables},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
