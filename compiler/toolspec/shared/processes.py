"""Whether the platform has processes: Pyodide and other runtimes of WebAssembly have none."""

from __future__ import annotations

import sys


def can_start_processes() -> bool:
    """Return whether this interpreter can start another one."""
    return bool(sys.executable) and sys.platform not in {"emscripten", "wasi"}
