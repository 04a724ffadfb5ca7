"""Detection of process support, which Pyodide and other WebAssembly runtimes lack."""

from __future__ import annotations

import sys


def can_start_processes() -> bool:
    """Return whether this interpreter can start another one."""
    return bool(sys.executable) and sys.platform not in {"emscripten", "wasi"}
