"""A file that is a part of a service, and is asked for by itself: it is looked at with its service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toolspec.driver import build
from toolspec.driver.build import Request

if TYPE_CHECKING:
    from pathlib import Path

SERVICE = """toolspec: 1
service: {name: shop, version: 1.0.0, description: A shop of a few things.}
"""
TOOLS = """tools:
  - name: listOrders
    description: List the orders of the last week, the newest first.
    mutation: false
    outputSchema: {$ref: "common.yaml#/$defs/Orders"}
"""
COMMON = "$defs: {Orders: {type: array, items: {type: strng}}}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "toolspec.toml").write_text("")
    (tmp_path / "specs").mkdir()
    return tmp_path


def told(project: Path, **files: str) -> list[tuple[str, str]]:
    """Return what is found when only the first of some files is asked for, with its file."""
    for name, text in files.items():
        (project / "specs" / f"{name}.yaml").write_text(text)
    request = Request(folder=project, paths=[f"specs/{next(iter(files))}.yaml"])
    found = build.check(request).diagnostics
    return [(each.code, each.span.source.path if each.span else "") for each in found]


MISTAKE = [("schema/unknown-type", "specs/common.yaml")]


def test_an_included_file_is_checked_with_its_service(project: Path) -> None:
    home = f"{SERVICE}include: [tools.yaml]\n"
    assert told(project, tools=TOOLS, common=COMMON, home=home) == MISTAKE


def test_a_file_that_is_referred_to_is_checked_with_its_service(project: Path) -> None:
    assert told(project, common=COMMON, home=SERVICE + TOOLS) == MISTAKE


def test_what_is_wrong_with_another_service_is_not_told(project: Path) -> None:
    other = f"{SERVICE.replace('shop', 'other')}tools: [{{name: a}}]\n"
    assert told(project, common=COMMON, home=SERVICE + TOOLS, other=other) == MISTAKE


def test_a_file_that_nobody_uses_is_told_of_once(project: Path) -> None:
    stray = [("shape/not-a-service", "specs/tools.yaml")]
    assert told(project, tools=TOOLS, common=COMMON, home=SERVICE + "tools: []\n") == stray
