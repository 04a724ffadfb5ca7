"""The lab as a registry whose processes share a store, as several workers need it."""

from app import Lab
from generated.lab import bind
from toolspec.runtime.controls.sqlite import SqliteStore

_lab = Lab()
registry = bind(_lab, settings={"greeting": "hello"}, hooks=_lab).with_controls(
    keys=SqliteStore("keys.sqlite3").keys
)
