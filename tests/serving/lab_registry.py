"""The lab as a registry whose processes share a store, as several workers need it."""

from app import Lab
from generated.lab import bind
from toolspec.runtime import Limits
from toolspec.runtime.stores.sqlite import SqliteStore

_lab = Lab()
registry = bind(_lab, settings={"greeting": "hello"}, hooks=_lab).with_controls(
    store=SqliteStore("keys.sqlite3")
)
impatient = registry.with_controls(limits=Limits(approval=0.3))
