"""Lookup of user objects by `module:object`, with a precise error for each failure."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError, nearest
from toolspec.serving.loading import foreign_code

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


def find_object(reference: str, example: str) -> object:
    """Return the object for `module:object`, searching the current folder first.

    A class is instantiated without arguments. Raises ServeError with the nearest name or the user's
    source line; `example` shows a valid reference.
    """
    module_name, _, attributes = reference.partition(":")
    names = attributes.split(".")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    if not all((*module_name.split("."), *names)):
        shown = _class_in(module_name) or example
        problem = f"`{reference}` names no object: write `module:object`, such as `{shown}`"
        raise ServeError(problem)
    with foreign_code(f"importing `{module_name}` failed"):
        value: object = _imported(module_name)
    with foreign_code(f"`{reference}` cannot be read"):
        for name in names:
            value = _member(value, name, module_name)
        if not isinstance(value, type):
            return value
    failure = f"`{reference}` is a class and cannot be made without arguments"
    with foreign_code(failure, "name an object of it instead"):
        instance: object = value()
    return instance


def _class_in(module_name: str) -> str:
    """Return `module:Class` for a class of a module; empty if it cannot be imported or has none."""
    try:
        members = vars(import_module(module_name)).values()
    except Exception:  # noqa: BLE001 - the reference is invalid anyway
        return ""
    classes = [item for item in members if isinstance(item, type)]
    own = [item.__name__ for item in classes if item.__module__ == module_name]
    return f"{module_name}:{own[-1]}" if own else ""


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name is None or not (
            name == problem.name or name.startswith(f"{problem.name}.")
        ):
            raise
        hint = nearest(name, list(_modules_beside()))
        text = f"there is no module `{name}` in {Path.cwd()} or on Python's path{hint}"
        raise ServeError(text) from None


def _modules_beside() -> Iterable[str]:
    return (item.stem for item in Path.cwd().iterdir() if item.suffix == ".py" or item.is_dir())


def _member(owner: object, name: str, module_name: str) -> object:
    try:
        return getattr(owner, name)
    except AttributeError:
        names = dir(owner)
        if name in names:
            raise  # it exists, but its own code fails
        public = [attribute for attribute in names if not attribute.startswith("__")]
        what = f"`{module_name}` has no `{name}`{nearest(name, public)}"
        raise ServeError(what) from None
