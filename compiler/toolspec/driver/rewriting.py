"""New text of a user's file: its diff, and writing it in one step."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from toolspec.driver import rewriting_kinds as kinds
from toolspec.driver.filesystem import NEW_FILE, open_file
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic

_WRITABLE = 0o222


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One file of the project, as it was read and with its new text."""

    path: Path
    name: str
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)

    @property
    def diff(self) -> str:
        """Unified diff of the two texts, as `patch` accepts it; empty without a difference."""
        from difflib import unified_diff

        before, after = (
            data.decode("utf-8", "replace").splitlines(keepends=True)
            for data in (self.before, self.after)
        )
        lines = unified_diff(before, after, f"a/{self.name}", f"b/{self.name}")
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in lines
        )

    def write(self) -> Diagnostic | None:
        """Replace the file in one step; keep its mode, follow a link.

        If the file changed since it was read, or the system refuses, it stays and a diagnostic is
        returned.
        """
        path = self.path.resolve()
        temporary = path.with_name(f".{path.name}.toolspec-{os.getpid()}")
        try:
            return self._replace(path, temporary)
        except OSError as error:
            reason = error.strerror or str(error)
            return kinds.UNWRITABLE.at(None, path=self.name, reason=reason)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _replace(self, path: Path, temporary: Path) -> Diagnostic | None:
        import shutil

        with os.fdopen(open_file(temporary, NEW_FILE, 0o600), "wb") as file:
            file.write(self.after)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, temporary)
        # Compared last, so that only the rename comes after it.
        if path.read_bytes() != self.before:
            return kinds.CHANGED.at(None, path=self.name)
        temporary.replace(path)
        return None


def refusal(path: Path, name: str, root: Path) -> Diagnostic | None:
    """Return why a file must not or cannot be written, as checked in advance.

    A file outside of the project is never written: links are followed.
    """
    real = path.resolve()
    if not real.is_relative_to(root):
        return kinds.OUTSIDE.at(None, path=name)
    try:
        if not real.stat().st_mode & _WRITABLE or not os.access(real, os.W_OK):
            return kinds.UNWRITABLE.at(None, path=name, reason="the file is read-only")
        folder = real.parent
        if not folder.stat().st_mode & _WRITABLE or not os.access(folder, os.W_OK | os.X_OK):
            return kinds.UNWRITABLE.at(None, path=name, reason="its folder is read-only")
    except OSError as error:
        reason = error.strerror or str(error)
        return kinds.UNWRITABLE.at(None, path=name, reason=reason)
    return None
