"""A site of 1,000 tools: sizes of its files, and which of them a changed description changes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TOOLS = 1000


@pytest.mark.prove
def test_files_stay_small_and_a_changed_description_changes_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import corpus

    specs, site = tmp_path / "specs", tmp_path / "generated" / "site"
    documents = {document["service"]["name"]: document for document in corpus.services(TOOLS)}

    def run(*arguments: str) -> None:
        command = (str(toolspec()), *arguments)
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    def compiled() -> dict[str, str]:
        run("compile", "--target", "site")
        paths = (path for path in site.rglob("*") if path.is_file())
        return {path.relative_to(site).as_posix(): path.read_text("utf-8") for path in paths}

    def written() -> None:
        files = [(f"{name}.json", json.dumps(document)) for name, document in documents.items()]
        corpus.write(specs, files)

    written()
    run("accept", "--today", "2026-01-01")
    before = compiled()
    pages = {path: text for path, text in before.items() if path.endswith(".html")}
    assert len(pages) > TOOLS
    assert {path: len(text) for path, text in pages.items() if len(text.encode()) > 300_000} == {}
    assert len(before["search.js"].encode()) <= 1_000_000

    name, document = next(iter(documents.items()))
    tool = document["tools"][0]
    tool["description"] = f"Changed. {tool['description']}"
    written()
    run("accept", "--today", "2026-03-01", "--reason", "A test")
    after = compiled()
    assert after.keys() == before.keys()
    changed = {path for path in before if before[path] != after[path]}
    page = f"{name}/{name}_{tool['name']}.html"
    lists = {path for path in pages if path.startswith("safety-") and page in before[path]}
    models = {f"{name}/index.md", "llms.txt", "llms-full.txt"}
    showing = {page, f"{name}/index.html", "search.js"} | models | lists
    # The index has the tokens of each service.
    assert changed <= showing | {"index.html", "changelog.html"}
    assert {page, "search.js", "llms-full.txt", "changelog.html"} <= changed
    assert all("Changed." in after[path] for path in changed & showing)
