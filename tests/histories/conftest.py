"""Lets these tests import the loop whose clock jumps."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "runtime"))
