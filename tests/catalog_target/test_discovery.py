"""Targets are found, not wired; what another distribution offers is loaded for its name alone."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import jsonschema_rs
import pytest
from made_programs import service
from sampling import sampled
from toolspec.targets import discovery
from toolspec.targets.target import Emission, EmitContext, Target

FOREIGN = Target("foreign", "from elsewhere", lambda *_: Emission())
NOT_A_TARGET = object()


def point(name: str, attribute: str) -> EntryPoint:
    return EntryPoint(name, f"{__name__}:{attribute}", discovery.ENTRY_POINTS)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        each.name: each
        for each in (
            point("foreign", "FOREIGN"),
            point("odd", "NOT_A_TARGET"),
            point("renamed", "FOREIGN"),
        )
    }
    monkeypatch.setattr(discovery, "_installed", lambda: points)


def test_built_in_targets_are_sorted_and_described() -> None:
    names = [each.name for each in discovery.built_in()]
    assert names == sorted(names)
    assert {"catalog", "docs", "mcp-2025-11-25", "mcp-2026-07-28"} <= set(names)
    for each in discovery.built_in():
        assert each.summary
        jsonschema_rs.meta.validate(each.options)


def test_a_built_in_name_reads_no_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_installed", lambda: pytest.fail("metadata was read"))
    found = discovery.find("catalog")
    assert found is not None
    assert found.name == "catalog"


@pytest.mark.parametrize("name", sampled([each.name for each in discovery.built_in()], 4))
def test_a_built_in_name_imports_no_other_target(name: str) -> None:
    code = (
        "import sys\nfrom toolspec.targets import discovery\n"
        f"assert discovery.is_built_in(discovery.find({name!r}))\n"
        "print(*{each.split('.')[2] for each, module in sys.modules.items()\n"
        "        if each.startswith('toolspec.targets.') and hasattr(module, '__path__')})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [name.partition("-")[0]]


def test_a_package_declares_names_that_begin_with_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_declared", lambda _: (FOREIGN,))
    with pytest.raises(TypeError, match="`docs` cannot declare a target named `foreign`"):
        discovery._family.__wrapped__("docs")


def test_an_unknown_name_is_none() -> None:
    assert discovery.find("catalogue") is None


@pytest.mark.usefixtures("installed")
def test_another_distribution_adds_its_own() -> None:
    found = discovery.find("foreign")
    assert found is not None
    assert (found.name, found.summary) == (FOREIGN.name, FOREIGN.summary)
    assert "foreign" in discovery.names()
    assert list(discovery.names()) == sorted(discovery.names())


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["odd", "renamed"])
def test_what_is_no_target_of_that_name_is_reported(name: str) -> None:
    found = discovery.find(name)
    assert found is not None
    (diagnostic,) = found.check_service(service(), EmitContext())
    assert diagnostic.code == "target/failed"
    assert f"is no Target named `{name}`" in diagnostic.message


@pytest.mark.parametrize(
    "declared",
    ["", "TARGET = 1", "TARGETS = ()", "TARGETS = (1,)", "TARGET = T\nTARGETS = (T,)"],
)
def test_a_package_declares_one_or_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declared: str
) -> None:
    name = "declares_wrongly"
    body = f"from toolspec.targets.target import Target\nT = Target('t', '')\n{declared}\n"
    (tmp_path / f"{name}.py").write_text(body, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(TypeError, match="must declare"):
        discovery._declared(name)
    sys.modules.pop(name, None)
