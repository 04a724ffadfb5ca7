"""The reference says of each rule which fixes it has: those that its examples are given are among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toolspec.rules import engine
from toolspec.rules.fixes import fixes

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.conftest import Trial


@pytest.mark.parametrize("code", engine.codes())
def test_a_fix_of_an_example_is_documented(code: str, trial: Callable[[str], Trial]) -> None:
    rule = engine.find(code)
    found = [each for example in rule.kind.manual.reported for each in trial(example).run(rule)]
    made = {each.fix.safe for each in found if each.fix}
    assert made <= {is_safe for _, is_safe in fixes(rule)}
