"""The suite's tools as a registry whose processes share a store, as several workers need it."""

from app import Json, Test
from toolspec.runtime.stores.sqlite import SqliteStore

from generated import build_registry

registry = build_registry(test=Test(), json=Json()).with_controls(store=SqliteStore("keys.sqlite3"))
