"""Documents whose definitions lead to one another hundreds of times compile for every target, and run."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from deep_documents import IN_PLACE, LINKS, chain, document, ring, tree
from sampling import sampled
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.providers import profile
from toolspec.runtime import ToolError
from toolspec.serving.mocks import Mocks
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic

    Shape = Callable[[str, int], dict[str, Any]]

TARGETS = [each.name for each in discovery.built_in()]
# A value of the first definition of a chain; an empty object where none is named.
LEAST: dict[str, Any] = {"items": [], "tuple": [], "union": "text", "choice": {"kind": "other"}}
TOO_DEEP_TO_SEND = "target/unsendable"


def written(folder: Path, definitions: dict[str, Any], name: str = "deep") -> Path:
    (folder / "specs").mkdir(parents=True)
    text = json.dumps(document(definitions, name))
    (folder / "specs" / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def errors(diagnostics: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    return [each for each in diagnostics if each.severity.value == "error"]


def refused(diagnostics: list[Diagnostic]) -> set[str]:
    """Return the targets that a tool cannot be sent to."""
    assert {each.code for each in diagnostics} <= {TOO_DEEP_TO_SEND}
    said = [text for each in diagnostics for text in (each.message, *map(str, each.parts))]
    return {
        name for name in TARGETS for text in said if re.search(rf"(?<![\w-]){name}(?![\w-])", text)
    }


def compiled(folder: Path) -> set[str]:
    """Compile for every target that `check` has no error for; return the others."""
    left = refused(errors(build.check(Request(folder=folder, targets=TARGETS)).diagnostics))
    assert all(profile.find_profile(name) for name in left)
    targets = [name for name in TARGETS if name not in left]
    made = build.compile_specs(Request(folder=folder, targets=targets))
    assert errors(made.diagnostics) == []
    return left


@pytest.mark.parametrize("count", sampled([100, 300, 1000], 1))
@pytest.mark.parametrize("shape", sampled([chain, ring, tree], 1))
def test_what_check_passes_compiles_however_many_definitions_follow_each_other(
    shape: Shape, count: int, tmp_path: Path
) -> None:
    compiled(written(tmp_path, shape("member", count)))


@pytest.mark.parametrize("link", sampled(LINKS, 1))
def test_a_chain_of_any_keyword_compiles(link: str, tmp_path: Path) -> None:
    compiled(written(tmp_path, chain(link, 100)))


@pytest.mark.prove
@pytest.mark.parametrize("link", [link for link in LINKS if link not in IN_PLACE])
def test_a_ring_of_any_keyword_compiles(link: str, tmp_path: Path) -> None:
    compiled(written(tmp_path, ring(link, 100)))


@pytest.mark.parametrize("link", sampled(IN_PLACE, 1))
def test_a_chain_about_one_value_is_too_complex_past_a_hundred_references(
    link: str, tmp_path: Path
) -> None:
    found = errors(build.check(Request(folder=written(tmp_path, chain(link, 300)))).diagnostics)
    assert {each.code for each in found} == {"schema/too-complex"}
    assert "101 references in a row apply to the same value" in found[0].message


def test_nesting_without_references_compiles_to_the_limit(tmp_path: Path) -> None:
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(12):
        inner = {"type": "array", "prefixItems": [{"anyOf": [inner, {"type": "integer"}]}]}
    compiled(written(tmp_path, {"T0": inner}))


@pytest.fixture
def imported(tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Import a generated package of the folder by the name of its service."""
    forget_generated()  # that of another test
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    yield lambda name: importlib.import_module(f"generated.{name}")
    sys.path.remove(str(tmp_path))
    forget_generated()


def forget_generated() -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == "generated"]:
        del sys.modules[name]


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"next": value}
    return value


@pytest.mark.parametrize("count", sampled([100, 300, 1000], 1))
@pytest.mark.parametrize("shape", [chain, ring])
def test_the_generated_package_and_its_mock_answer_calls(
    shape: Shape, count: int, tmp_path: Path, imported: Callable[[str], Any]
) -> None:
    written(tmp_path, shape("member", count))
    targets = ["python", "catalog"]
    assert build.compile_specs(Request(folder=tmp_path, targets=targets)).ok
    package = imported("deep")
    handlers, _ = Mocks(tmp_path / "generated" / "catalog.json", 0).handlers(package.SERVICE)
    own = package.bind({"echo": lambda input, _: input["value"]})
    mocked = package.bind(handlers)
    value = nested(count - 1 if count < 190 else 190)
    assert asyncio.run(own.call("deep_echo", {"value": value}))
    assert isinstance(asyncio.run(mocked.call("deep_echo", {"value": {}})), dict)


def test_defaults_are_filled_in_at_the_end_of_a_long_chain(
    tmp_path: Path, imported: Callable[[str], Any]
) -> None:
    written(tmp_path, chain("member", 150))
    assert build.compile_specs(Request(folder=tmp_path, targets=["python"])).ok
    registry = imported("deep").bind({"echo": lambda input, _: input["value"]})
    answer = asyncio.run(registry.call("deep_echo", {"value": nested(149)}))
    for _ in range(149):
        answer = answer["next"]
    assert answer == {"end": 7}


@pytest.mark.parametrize("link", sampled(LINKS, 3))
def test_calls_are_answered_whatever_leads_from_one_definition_to_the_next(
    link: str, tmp_path: Path, imported: Callable[[str], Any]
) -> None:
    written(tmp_path, chain(link, 90))
    targets = ["python", "catalog"]
    assert build.compile_specs(Request(folder=tmp_path, targets=targets)).ok
    package = imported("deep")
    handlers, _ = Mocks(tmp_path / "generated" / "catalog.json", 0).handlers(package.SERVICE)
    call = package.bind(handlers).call("deep_echo", {"value": LEAST.get(link, {})})
    try:
        asyncio.run(call)
    except ToolError as error:
        assert error.code == "no_sample"  # noqa: PT017 - an answer as well: it says what to do
