"""Options for writing the output folder."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path

from toolspec.shared.records import dataclass


class OverwritePolicy(Enum):
    """Handling of an edited or foreign file at the path of an artifact."""

    REFUSE = "refuse"
    ADOPT = "adopt"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Overwrite policy, targets, and the timeout of the lock.

    `targets` are those of the build, `configured` those and all that the configuration names; None
    means every target. Files of a built target are removed if they are no longer artifacts. Files
    of a configured target that is not built stay as they are. Files of a target that is not
    configured stay with a warning; with `prune` they are removed. `lock_timeout` is how many seconds
    a build waits for another one of the same folder. `root` is the folder that the names of files in
    diagnostics are relative to.
    """

    overwrite_policy: OverwritePolicy = OverwritePolicy.REFUSE
    targets: frozenset[str] | None = None
    configured: frozenset[str] | None = None
    prune: bool = False
    lock_timeout: float = 5.0
    root: Path = Path()

    def name(self, path: Path) -> str:
        """Return the name of a file in diagnostics."""
        return Path(os.path.relpath(path, self.root)).as_posix()
