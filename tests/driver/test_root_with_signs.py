"""Projects in folders whose names have the signs of patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sampling import sampled
from small_spec import SPEC
from toolspec.driver.build import Request, compile_specs

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", sampled(["a[b]c", "[ab]", "what?", "*"], 2))
@pytest.mark.parametrize(
    ("config", "paths"),
    [
        ('specs = ["specs/*.yaml"]\n', ()),
        ('specs = ["specs/**/d[a-e]mo.yaml"]\n', ()),
        ("", ("specs/*.yaml",)),
        ("", ("specs",)),
    ],
)
def test_a_pattern_is_searched_from_there(
    tmp_path: Path, name: str, config: str, paths: tuple[str, ...]
) -> None:
    root = tmp_path / name
    (root / "specs" / "parts").mkdir(parents=True)
    (root / "toolspec.toml").write_text(config)
    (root / "specs" / "demo.yaml").write_text(f"{SPEC}include: [parts/*.yaml]\n")
    tools = "".join(SPEC.partition("tools:\n")[1:]).replace("ping", "pong")
    (root / "specs" / "parts" / "more.yaml").write_text(tools)
    done = compile_specs(Request(folder=root, paths=paths))
    assert done.ok, done.diagnostics
    assert done.value.documents[0] == "specs/demo.yaml"
    assert [summary.name for summary in done.value.summaries] == ["demo"]
