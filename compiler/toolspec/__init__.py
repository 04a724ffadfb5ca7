"""A compiler for agent tools: one static spec becomes typed Python, manifests and docs.

The public face, each name loaded when it is first asked for:

- `Request`: what to build: paths, an output folder, targets, and the folder they are relative to.
- `check(request)`: the program of some documents and every finding about them; makes nothing.
- `build(request)`: the same with the artifacts of every target, in memory.
- `compile_specs(request)`: the same, written; after an error nothing is.
- `Build`, `Program`, `Checked`, `Diagnostic`, `Severity`: what they return.
- `diff(old, new)`: the changes between two versions, as `Changes`; `VersionError` for one that cannot be read.

Generated code uses none of this: it imports `toolspec.runtime`.
"""

from __future__ import annotations

from toolspec.version import __version__

TYPE_CHECKING = False  # the name alone is enough, and spares generated code importing typing
if TYPE_CHECKING:
    from toolspec.changes.change import Change, Changes
    from toolspec.diagnostics import Checked, Diagnostic, Severity
    from toolspec.driver.build import Build, Request, build, check, compile_specs
    from toolspec.driver.contract.in_process import VersionError, diff
    from toolspec.ir import Program

__all__ = [
    "Build",
    "Change",
    "Changes",
    "Checked",
    "Diagnostic",
    "Program",
    "Request",
    "Severity",
    "VersionError",
    "__version__",
    "build",
    "check",
    "compile_specs",
    "diff",
]

_HOMES = {
    "Build": "driver.build",
    "Change": "changes.change",
    "Changes": "changes.change",
    "Checked": "diagnostics",
    "Diagnostic": "diagnostics",
    "Program": "ir",
    "Request": "driver.build",
    "Severity": "diagnostics",
    "build": "driver.build",
    "check": "driver.build",
    "VersionError": "driver.contract.in_process",
    "compile_specs": "driver.build",
    "diff": "driver.contract.in_process",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
