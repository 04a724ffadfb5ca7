"""Versions of a site: a folder for each, and a list that all of them read."""

from __future__ import annotations

import json
import re

import pytest
from made_programs import service, tool
from site_pages import POLICY, parsed, site
from toolspec.diagnostics import Diagnostic
from toolspec.ir import Program
from toolspec.shared.validator import compiled
from toolspec.targets.site import TARGET

PROGRAM = Program((service(tool("a"), tool("b")),))


def faults(**options: object) -> list[Diagnostic]:
    return [*TARGET.check_options(options, lambda *_: None)]  # type: ignore[arg-type] # JSON


def test_each_version_has_a_folder_and_the_list_is_beside_them() -> None:
    files = site(PROGRAM, version="v2", versions=["v3", "v2", "v1"])
    assert files["versions.js"] == 'toolspecVersions(["v3","v2","v1"])\n'
    assert {path.partition("/")[0] for path in files} == {"v2", "versions.js", "index.html"}
    pages = sorted(path.removeprefix("v2/") for path in files if path.startswith("v2/"))
    listed = files["v2/pages.js"].removeprefix('toolspecPages("v2", ').removesuffix(")\n")
    assert json.loads(listed) == [path for path in pages if path.endswith(".html")]
    alone = site(PROGRAM)
    assert pages == sorted([*alone, "pages.js"])
    for path, text in files.items():
        if path.startswith("v2/") and path.endswith(".html"):
            (own,) = re.findall(r'data-page="([^"]+)"', text)
            assert f"v2/{own}" == path
            up = "../" * (path.count("/"))
            assert f'src="{up}versions.js"' in text
            assert f'<a class="version" href="{up}index.html">v2</a>' in text


def test_the_index_leads_to_the_newest_version() -> None:
    index = site(PROGRAM, version="v1", versions=["v2", "v1"])["index.html"]
    assert 'content="0; url=v2/index.html"' in index
    assert parsed(index).links == ["v1/site.css", "v2/index.html", "v1/index.html"]
    assert "script-src" not in POLICY.findall(index)[0]


def test_a_version_alone_and_the_newest_by_default() -> None:
    assert site(PROGRAM, version="1.2.0")["versions.js"] == 'toolspecVersions(["1.2.0"])\n'
    assert "v2/index.html" in site(PROGRAM, versions=["v2", "v1"])
    assert [each.kind.code for each in faults(version="v3", versions=["v2"])] == ["site/version"]
    assert faults(version="v2", versions=["v2"]) == faults() == []


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "index.html", "versions.js", "a.", '"', "é"]
)
def test_a_version_is_the_name_of_a_folder(name: str) -> None:
    schema = json.dumps(TARGET.options)
    assert not compiled(schema)({"version": name})
    assert not compiled(schema)({"versions": [name]})
    assert compiled(schema)({"version": "v1.2.0"})
