"""Lets these tests import the generated code of `specs/`, and the loop whose clock jumps."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent
sys.path += [str(TESTS.parent), str(TESTS / "runtime")]
