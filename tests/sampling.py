"""Cases of which `make test` runs a few and `make prove` the others."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

_Parameters = type(pytest.param())


def sampled(cases: Iterable[Any], count: int, *, rows: bool = False) -> list[Any]:
    """Return all cases as parameters, all but some of them marked as proofs; always the same ones.

    Each case is the value of one parameter, a row of several values, or what `pytest.param` returns.
    """
    values = list(cases)
    numbers = range(len(values))
    chosen = random.Random(count).sample(numbers, min(count, len(values)))  # noqa: S311 - no secret
    return [
        value if index in chosen else _as_proof(value, is_row=rows)
        for index, value in enumerate(values)
    ]


def _as_proof(case: Any, *, is_row: bool) -> Any:
    if isinstance(case, _Parameters):
        marks = (*case.marks, pytest.mark.prove)
        return pytest.param(*case.values, marks=marks, id=case.id)
    return pytest.param(*(case if is_row else (case,)), marks=pytest.mark.prove)
