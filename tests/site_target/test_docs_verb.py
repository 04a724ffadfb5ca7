"""`toolspec docs`: compiles the site, and serves it with pages that load anew after a change."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import httpx2
from forkserver import toolspec
from served import await_port, free_port

SPEC = (
    "toolspec: 1\nservice: {name: demo, description: A service for tests.}\n"
    "tools:\n  - {name: ask, description: Answer., outputSchema: {type: string}, mutation: false}\n"
)


def project(folder: Path) -> Path:
    (folder / "specs").mkdir()
    (folder / "specs" / "demo.yaml").write_text(SPEC)
    return folder


def test_the_site_is_compiled_and_its_address_is_printed(tmp_path: Path) -> None:
    command = (toolspec(), "docs", "--no-open")
    done = subprocess.run(
        command, cwd=project(tmp_path), capture_output=True, text=True, check=True
    )
    index = tmp_path / "generated" / "site" / "index.html"
    assert done.stdout.splitlines()[-1] == f"docs: {index.as_uri()}"
    assert index.is_file()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC.replace("mutation", "muation"))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "docs:" not in done.stdout


def test_a_page_loads_anew_after_a_change(tmp_path: Path) -> None:
    port = free_port()
    command = (toolspec(), "docs", "--no-open", "--watch", "--port", str(port))
    folder = project(tmp_path)
    subprocess.run((toolspec(), "docs", "--no-open"), cwd=folder, check=True, capture_output=True)
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        await_port(process, port)
        address = f"http://127.0.0.1:{port}"
        (stamp,) = re.findall(r"start\.js\?(\d+)", httpx2.get(f"{address}/index.html").text)
        assert f"wait.js?{stamp}" in httpx2.get(f"{address}/-/start.js?{stamp}").text
        (folder / "specs" / "demo.yaml").write_text(SPEC.replace("Answer.", "Answer it."))
        waited = httpx2.get(f"{address}/-/wait.js?{stamp}", timeout=30)
        assert waited.text == "location.reload();"
        assert "Answer it." in httpx2.get(f"{address}/demo/demo_ask.html").text
        assert httpx2.get(f"http://localhost:{port}/index.html").status_code == 421
        assert httpx2.get(f"{address}/..%2f..%2ftoolspec.lock.json").status_code == 404
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
