"""Write options of a build: everything that a check of the documents does not need."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class OverwritePolicy(Enum):
    """Handling of an edited or foreign file at the path of an artifact."""

    REFUSE = "refuse"
    ADOPT = "adopt"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options for writing the output folder.

    `targets` are those of the build, `configured` those and all that the configuration names; None
    means every target. Files of a built target are removed if they are no longer artifacts. Files
    of a configured target that is not built stay as they are. Files of a target that is not
    configured stay with a warning; with `prune` they are removed. `patience` is how many seconds a
    build waits for another one of the same folder.
    """

    overwrite_policy: OverwritePolicy = OverwritePolicy.REFUSE
    targets: frozenset[str] | None = None
    configured: frozenset[str] | None = None
    prune: bool = False
    lock_timeout: float = 5.0
