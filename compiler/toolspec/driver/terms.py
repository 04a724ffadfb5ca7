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
    """What a build may do: take files over, and of which targets it makes the files (None: of all).

    A build of some targets leaves the files of the others as they are. `patience` is how many seconds
    it waits for another build of the same folder.
    """

    takeover: Takeover = Takeover.REFUSE
    targets: frozenset[str] | None = None
    patience: float = 5.0
