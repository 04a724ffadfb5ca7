"""A compiler for agent tools: one static spec becomes typed Python, manifests and docs.

The public face, each name loaded when it is first asked for:

- `Request`: what to build: paths, an output folder, targets, and the folder they are relative to.
- `check(request)`: the program of some documents and every finding about them; makes nothing.
- `build(request)`: the same with the artifacts of every target, in memory.
- `compile_specs(request)`: the same, written; after an error nothing is.
- `Build`, `Program`, `Checked`, `Diagnostic`, `Severity`: what they return.

Generated code uses none of this: it imports `toolspec.runtime`.
"""

from __future__ import annotations

from toolspec.version import __version__

TYPE_CHECKING = False  # the name alone is enough, and spares generated code importing typing
if TYPE_CHECKING:
    from toolspec.diagnostics import Checked, Diagnostic, Severity
    from toolspec.driver.build import Build, Request, build, check, compile_specs
    from toolspec.ir import Program

__all__ = [
    "Build",
    "Checked",
    "Diagnostic",
    "Program",
    "Request",
    "Severity",
    "__version__",
    "build",
    "check",
    "compile_specs",
]

_HOMES = {
    "Build": "driver.build",
    "Checked": "diagnostics",
    "Diagnostic": "diagnostics",
    "Program": "ir",
    "Request": "driver.build",
    "Severity": "diagnostics",
    "build": "driver.build",
    "check": "driver.build",
    "compile_specs": "driver.build",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
