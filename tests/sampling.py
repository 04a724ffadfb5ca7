"""Cases of which `make test` runs a few and `make prove` the others."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def sampled(cases: Iterable[Any], count: int) -> list[Any]:
    """Return all cases as parameters, all but some of them marked as proofs; always the same ones."""
    values = list(cases)
    chosen = set(random.Random(count).sample(range(len(values)), count))  # noqa: S311 - no secret
    return [
        value if index in chosen else pytest.param(value, marks=pytest.mark.prove)
        for index, value in enumerate(values)
    ]
