"""The benchmarks run on today's code, and their page shows what they measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def run(*arguments: str | Path) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_every_row_can_be_asked_for() -> None:
    assert "P1r" in run(FOLDER / "measure.py", "--help")


@pytest.mark.prove
@pytest.mark.parametrize("what", ["validation", "locations", "stages"])
def test_parts_of_a_compile_are_timed(what: str, tmp_path: Path) -> None:
    run(FOLDER / "corpus.py", tmp_path, "20", "--own")
    form = "json" if what == "locations" else "yaml"
    times = json.loads(run(FOLDER / "inside.py", what, tmp_path / form))
    assert times
    assert all(seconds >= 0 for seconds in times.values())


@pytest.mark.usefixtures("benchmarks")
def test_results_are_kept_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import results
    from row import Row

    page, file = tmp_path / "README.md", tmp_path / "results.json"
    page.write_text(f"before\n{results._BEGIN}old\n{results._END}after\n", encoding="utf-8")
    monkeypatch.setattr(results, "_PAGE", page)
    monkeypatch.setattr(results, "_FILE", file)
    monkeypatch.setattr(results, "_CHART", tmp_path / "chart.svg")
    kept = results.Results(["P1", "P9"])
    assert not kept.is_current("P1")
    kept.keep("P9", [Row("P9", "`--help`", "≤ 1.15×", "`pass`", 1.2)])
    kept.keep("P1", [Row("P1", "compile <all>", "≥ 6×", "`a & b`", 7.0, "×", "1 s", "7 s")])
    kept.write_page()
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    first, second = (line for line in text.splitlines() if line.startswith("| P"))
    assert "7.00× ✓" in first
    assert "1.20× ✗" in second
    again = results.Results(["P1", "P9"])
    assert again.is_current("P1")
    svg = ET.fromstring(  # noqa: S314 - just written
        (tmp_path / "chart.svg").read_text(encoding="utf-8")
    )
    texts = [element.text for element in svg.iter() if element.text]
    assert {"compile <all>", "toolspec", "a & b", "1.00 s", "7.00 s"} <= set(texts)


@pytest.mark.usefixtures("benchmarks")
def test_results_stay_current_until_the_code_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import results
    from row import Row

    def commit(name: str) -> None:
        (tmp_path / name).write_text(name, encoding="utf-8")
        author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        for arguments in (("add", "-A"), (*author, "commit", "-qm", name)):
            subprocess.run(["git", "-C", tmp_path, *arguments], check=True)

    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "compiler" / "toolspec").mkdir(parents=True)
    monkeypatch.setattr(results, "HERE", tmp_path / "benchmarks")
    monkeypatch.setattr(results, "_FILE", tmp_path / "benchmarks" / "results.json")
    commit("benchmarks/rows.py")
    results.Results(["P9"]).keep("P9", [Row("P9", "`--help`", "≤ 1.15×", "`pass`", 1.2)])
    for name, is_current in (
        ("benchmarks/results.py", True),
        ("README.md", True),
        ("compiler/toolspec/build.py", False),
    ):
        commit(name)
        assert results.Results(["P9"]).is_current("P9") is is_current, name


@pytest.mark.usefixtures("benchmarks")
def test_tools_of_real_servers_are_written_for_other_compilers() -> None:
    import foreign
    from dumps import shared_definitions

    schema = {
        "type": "object",
        "properties": {
            "page": {"$ref": "#/$defs/Page"},
            "sort-by": {"enum": ["+name", "name"]},
            "value": True,
        },
        "$defs": {"Page": {"type": ["integer", "null"]}},
    }
    document = shared_definitions(
        {
            "service": {"name": "real-server", "description": "A server."},
            "tools": [
                {
                    "name": "list-all",
                    "description": "Costs ${5}.",
                    "inputSchema": schema,
                    "outputSchema": True,
                }
            ],
        }
    )
    assert document["$defs"] == {"T0InputN0": {"type": ["integer", "null"]}}
    components = foreign.openapi([document])["components"]["schemas"]
    members = components["Real_ServerList-allInput"]["properties"]
    assert members["page"] == {"$ref": "#/components/schemas/Real_ServerT0InputN0"}
    spec = foreign.typespec([document])
    assert "alias T0InputN0 = (int64 | null);" in spec
    assert "op `list-all`" in spec
    assert "\\${5}" in spec
    message = foreign.proto(document)
    assert "rpc ListAll(ListAllRequest) returns (ListAllResponse);" in message
    assert "optional google.protobuf.Value value = 3;" in message
