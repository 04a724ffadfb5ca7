"""What a build may do to its output folder: all of it that a check of the documents knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Takeover(Enum):
    """What happens to an edited or foreign file where an artifact belongs."""

    REFUSE = "refuse"
    ADOPT = "adopt"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a build may do to the files of the output folder.

    `targets` are those that it makes, `configured` those and all that the configuration names; None
    stands for every target. Files of a target that is made are removed where nothing asks for them any
    more. Files of a configured one that is not made stay as they are. Files of a target that nobody
    names stay with a warning; with `prune` they are removed. `patience` is how many seconds a
    build waits for another one of the same folder.
    """

    takeover: Takeover = Takeover.REFUSE
    targets: frozenset[str] | None = None
    configured: frozenset[str] | None = None
    prune: bool = False
    patience: float = 5.0
