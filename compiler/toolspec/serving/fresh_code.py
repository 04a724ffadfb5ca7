"""Imports of a project's own modules, always from source, with the files that were read."""

from __future__ import annotations

import os
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.importlib import PathEntryFinderProtocol as PathEntryFinder

Fingerprint = list[int]
"""Numbers of a file that change when it is written; empty if there is none."""


def fingerprint(path: str) -> Fingerprint:
    """Return what identifies the content of a file without reading it."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for each file five times a second
    except OSError:
        return []
    return [found.st_mtime_ns, found.st_size, found.st_ino]


class FreshCode:
    """Loads modules outside installed packages from source, and remembers their files.

    Python compares a compiled file with its source in whole seconds, so that it would miss a second
    change within one.
    """

    def __init__(self) -> None:
        files: dict[str, Fingerprint] = {}

        class Loader(SourceFileLoader):
            def path_stats(self, path: str) -> dict[str, float]:
                raise OSError(path)  # neither read a compiled file nor write one

            def get_data(self, path: str) -> bytes:
                files.setdefault(path, fingerprint(path))
                return super().get_data(path)

        find = FileFinder.path_hook(
            (ExtensionFileLoader, EXTENSION_SUFFIXES),
            (Loader, SOURCE_SUFFIXES),
            (SourcelessFileLoader, BYTECODE_SUFFIXES),
        )

        def hook(path: str) -> PathEntryFinder:
            if _is_installed(path):
                raise ImportError(path)
            return find(path)

        self.files = files
        self._hook = hook

    def install(self) -> None:
        """Load from now on with this."""
        sys.path_hooks.insert(0, self._hook)
        sys.path_importer_cache.clear()


def _is_installed(path: str) -> bool:
    folder = os.path.realpath(path)
    installed = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[2]))
    return "site-packages" in folder or folder.startswith(installed)
