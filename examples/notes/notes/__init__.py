"""The notes service: handlers and hooks on one SQLite file.

`toolspec serve --handlers notes:Notes` serves it; `open_registry` calls it from Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generated.notes import bind
from notes.handlers import Handlers
from notes.hooks import Hooks

if TYPE_CHECKING:
    from toolspec.runtime import Registry

    from generated.notes import NotesSettingsGiven

__all__ = ["Notes", "open_registry"]


class Notes(Handlers, Hooks):
    """All methods that `generated/notes/handlers.py` asks for, in one object."""


def open_registry(settings: NotesSettingsGiven | None = None) -> Registry:
    """Return the service in process; calls that write ask, and are refused where nobody answers."""
    service = Notes()
    return bind(service, settings=settings, hooks=service)
