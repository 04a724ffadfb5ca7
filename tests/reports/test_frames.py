"""Golden frames: tests/cases/frames/<slug>/ holds a file and what a person sees of its findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.reports import render
from toolspec.syntax import parse

FRAMES = Path(__file__).parent.parent / "cases" / "frames"


def cases() -> list[Path]:
    return sorted(path for path in FRAMES.iterdir() if path.is_dir())


@pytest.mark.parametrize("case", cases(), ids=lambda path: path.name)
def test_frame(case: Path, accept: bool) -> None:
    expected = case / "expected.txt"
    (source,) = [path for path in case.iterdir() if path != expected]
    found = parse(f"specs/{source.name}", source.read_bytes()).diagnostics
    seen = render("text", found, verbose="verbose" in case.name)
    if accept:
        expected.write_text(seen, encoding="utf-8")
    assert seen == expected.read_text(encoding="utf-8")
