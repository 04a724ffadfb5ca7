"""Each kind is reported in each view that shows it; `tests/cases/changes/` has what a user reads."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from change_views import Pair, in_views
from sampling import sampled
from toolspec.changes.catalogue import modules
from toolspec.changes.visibility import View

CASES = Path(__file__).parents[1] / "cases" / "changes"


@pytest.mark.parametrize("code", sampled(modules(), 40))
def test_a_kind_in_its_views(
    code: str, accept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: dict[str, list[str]] = {}
    pairs: dict[str, Pair] = {}
    for view, pair in in_views(code).items():
        assert pair, f"{code} has no pair of versions for the {view}"
        key = repr(pair)
        folder = tmp_path / sha256(key.encode()).hexdigest()
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        if key not in pairs:
            pairs[key] = Pair(*pair)
        codes, text = pairs[key].changes(view)
        is_hidden = view is View.CLIENT and "does not show" in text  # its scopes may hide a tool
        assert code in codes or is_hidden, (view, text)
        texts.setdefault(text, []).append(view)
    seen = "\n".join(f"# {', '.join(names)}\n\n{text}" for text, names in texts.items())
    expected = CASES / f"{code}.txt"
    if accept:
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(seen, encoding="utf-8")
    assert seen == expected.read_text("utf-8")


def test_no_case_is_left_of_a_kind_that_is_gone() -> None:
    assert {
        path.relative_to(CASES).with_suffix("").as_posix() for path in CASES.rglob("*.txt")
    } == set(modules())
