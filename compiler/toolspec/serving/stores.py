"""The store that the processes of a server share: the stated one, or a file for each project."""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.runtime.controls.policy import decided_permissions, decision_on_call
from toolspec.runtime.settings import ConfigurationError
from toolspec.runtime.stores import StoreError, StoreOptions, open_store
from toolspec.runtime.stores.memory import MemoryJournal, MemoryKeys
from toolspec.serving.environment import variable
from toolspec.serving.errors import ServeError
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping
    from typing import Any, TypeVar

    from toolspec.runtime.controls import Controls
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.stores import Store
    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.options import Options

    T = TypeVar("T")

VARIABLE = "TOOLSPEC_STORE"


def stated_store(option: str, environ: Mapping[str, str], configured: str) -> str:
    """Return the URL of the option, the environment or the configuration, in this order.

    Raises ServeError for a file in the environment that cannot be read.
    """
    try:
        return option or variable(environ, VARIABLE) or configured
    except ConfigurationError as problem:
        heading = "the store cannot be opened"
        raise ServeError(heading, problem.problems) from problem


def with_store(
    options: Options, served: ServedTools, only: ToolDefinition | None = None
) -> ServedTools:
    """Return the served tools with their store, which has been checked; mocks have none.

    The default is a file of the project, as soon as several processes or a tool need it; `only` is
    the tool that will be called, if it is a single one. Raises ServeError for a store that cannot
    be used, and for one that processes cannot share.
    """
    tools = [tool for tool in _tools_with_handlers(served) if only in (None, tool)]
    if not tools:
        return served
    controls = served.registry.controls
    _check_own(options, controls)
    store = controls.store
    # A single call is approved in its own process.
    asks = only is None and any(_asks(controls, tool) for tool in tools)
    if options.store or (store is None and (asks or _need_store(options, tools))):
        url = options.store or f"sqlite:///{default_file(options.folder)}"
        try:
            store = open_store(url, store_options(options))
        except StoreError as problem:
            heading = "the store cannot be opened"
            raise ServeError(heading, (str(problem),)) from None
        served = replace(served, registry=served.registry.with_controls(store=store))
    if store is None:
        return served
    if options.workers > 1 and not store.is_shared:
        heading = "several workers need a store that they share: `memory:` is none"
        raise ServeError(heading)
    _check(store)
    return served


def store_options(options: Options) -> StoreOptions:
    """Return the times of a store: with `store_keep`, keys and journal are kept as long."""
    if options.store_keep:
        keep = float(options.store_keep)
        return StoreOptions(
            keep_seconds=keep, keep_entries_seconds=keep, may_lose=options.store_may_lose
        )
    return StoreOptions(may_lose=options.store_may_lose)


def default_file(folder: str) -> Path:
    """Return the store of the project with this generated package, whose folder it creates.

    It is below the state folder of the user, which other users cannot read.
    """
    home = Path(folder).resolve()
    digest = sha256(str(home).encode()).hexdigest()[:12]
    state = _state_folder() / "toolspec" / f"{home.parent.name}-{digest}"
    try:
        os.makedirs(state, mode=0o700, exist_ok=True)  # noqa: PTH103 - as in other modules, named in tests
    except OSError as problem:
        heading = f"the store {state / 'store.sqlite3'} cannot be made: {problem.strerror}"
        raise ServeError(heading, (_OTHER,)) from problem
    return state / "store.sqlite3"


_OTHER = "name another with `--store URL`, such as `sqlite:///calls.sqlite3`"


def _state_folder() -> Path:
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    stated = os.environ.get("XDG_STATE_HOME", "")
    return Path(stated) if Path(stated).is_absolute() else home / ".local" / "state"


def _check(store: Store) -> None:
    try:
        _wait_for(store.check())
    except StoreError as problem:
        heading = "the store cannot be used"
        raise ServeError(heading, (str(problem), _OTHER)) from None


def sealing_key(options: Options, served: ServedTools) -> bytes:
    """Return the key of the state of 2026 rounds: that of the store, else of the options."""
    store = served.registry.controls.store
    if store is None or not store.is_shared:
        return bytes.fromhex(options.key)
    return _wait_for(store.secret("state of rounds"))


def _wait_for(work: Coroutine[Any, Any, T]) -> T:
    with ThreadPoolExecutor(1) as thread:  # uvicorn loads the application in its event loop
        return thread.submit(asyncio.run, work).result()


def _check_own(options: Options, controls: Controls) -> None:
    """Raise ServeError for stores of a finished registry that the options contradict."""
    if options.store and controls.store is not None:
        heading = "the registry has a store of its own: remove it there, or `--store`"
        raise ServeError(heading)
    in_memory = [
        name
        for name, kind in (("keys", MemoryKeys), ("journal", MemoryJournal))
        if isinstance(getattr(controls, name), kind)
    ]
    if options.workers > 1 and in_memory:
        names = " and ".join(f"`{name}`" for name in in_memory)
        heading = (
            f"several workers need a store that they share: {names} of the registry is in memory"
        )
        raise ServeError(heading)


def _need_store(options: Options, tools: Iterable[ToolDefinition]) -> bool:
    """Return whether several processes serve the tools, or one leaves something behind."""
    return options.workers > 1 or any(tool.idempotency != "none" or tool.revert for tool in tools)


def _tools_with_handlers(served: ServedTools) -> Iterable[ToolDefinition]:
    for service in served.registry.services:
        if service.name not in served.mocked:
            yield from service.tools


def _asks(controls: Controls, tool: ToolDefinition) -> bool:
    decisions = [decision for _, decision in decided_permissions(tool, controls.policy)]
    decisions.append(decision_on_call(controls.policy, tool))
    return any(decision is None or decision.mode == "ask" for decision in decisions)
