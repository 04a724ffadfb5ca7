"""YAML parser events, from libyaml if PyYAML was built with it, else from PyYAML's own parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def event_reader(text: str) -> Callable[[], Any]:
    """Return a function that returns the next event at each call; both may raise YAMLError."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        from toolspec.syntax.yaml_python import PythonParser

        return PythonParser(text).get_event
    next_event: Callable[[], Any] = CParser(text).get_event
    return next_event
