"""The compiler's own files: a changed one means that documents are compiled anew."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import toolspec
from toolspec.schema.shipped import schema_folder
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator


def compiler_files() -> Iterator[str]:
    """Yield the files that decide how documents are compiled: compiler, schemas, validator.

    For an installed compiler these are the `RECORD` files of its distributions: an installer replaces
    them with the modules. A compile with nothing to do then checks two files instead of 700.

    Packages that no compile imports are left out: a test compares `_NOT_COMPILING` with the imported
    modules. Of the kinds of changes a compile only reads the names, which a folder's fingerprint covers.
    """
    for name in ("jsonschema_rs", "jsonschema", "toolspec"):
        spec = find_spec(name)
        yield from (
            str(Path(location).parent)
            for location in (spec and spec.submodule_search_locations) or ()
        )
    root = Path(toolspec.__file__).parent
    installed = [root.parent / f"{name}-{__version__}.dist-info" / "RECORD" for name in _INSTALLED]
    if all(record.is_file() for record in installed):
        yield from map(str, installed)
        return
    named = str(root / "changes" / "kinds")
    for start in (root, schema_folder()):
        for folder, folders, files in os.walk(start):
            folders[:] = [name for name in folders if name not in _NOT_COMPILING and name[0] != "."]
            yield folder
            if folder.startswith(named):
                continue
            yield from (
                os.path.join(folder, file)  # noqa: PTH118 - hundreds of them
                for file in files
                if not file.endswith(".md")  # a rule's manual decides no compile
            )


_INSTALLED = ("toolspec_compiler", "toolspec_runtime")
_NOT_COMPILING = {
    "__pycache__",
    "importers",
    "reference",
    "runtime",
    "serving",
    "starter",
}
