"""The generated package of a project: its services and their manifests."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.runtime.definition import ServiceDefinition, stored_schemas
from toolspec.serving.build import LOCK
from toolspec.serving.errors import ServeError, listed, nearest
from toolspec.serving.loading import foreign_code
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPILE = "run `toolspec compile`"


@dataclass(frozen=True, slots=True)
class GeneratedService:
    """One service of a generated package: definition and folder of manifests."""

    definition: ServiceDefinition
    folder: Path


@dataclass(frozen=True, slots=True)
class Package:
    """An imported generated package; services are sorted by name."""

    folder: Path
    services: tuple[GeneratedService, ...]

    def named(self, names: Sequence[str]) -> tuple[GeneratedService, ...]:
        """Return services by name. Raises ServeError for unknown names."""
        services = {service.definition.name: service for service in self.services}
        wrong = [name for name in names if name not in services]
        if wrong:
            lines = [f"`{name}`{nearest(name, tuple(services))}" for name in wrong]
            heading = f"no such service in {self.folder}; there are {listed(tuple(services))}"
            raise ServeError(heading, lines)
        return tuple(services[name] for name in sorted(set(names)))


def load_package(folder: Path, name: str) -> Package:
    """Import the package generated into a folder, and return it.

    Raises ServeError if nothing was generated there, if it is damaged or for another version of the
    runtime, and if the name refers to other code.
    """
    if not (folder / LOCK).is_file() or not (folder / "__init__.py").is_file():
        problem = f"there is no generated Python package in {folder}: {COMPILE}"
        raise ServeError(problem)
    _import_as(folder, name)
    services = [_service(home, f"{name}.{home.name}") for home in _homes(folder)]
    if not services:
        problem = f"the package in {folder} has no services: {COMPILE}"
        raise ServeError(problem)
    services.sort(key=lambda service: service.definition.name)
    return Package(folder, tuple(services))


def _homes(folder: Path) -> list[Path]:
    """Return the folders of the services, from the compiler's list of outputs."""
    lock = folder / LOCK
    try:
        files = json.loads(lock.read_bytes())["files"]
        packages = [folder / file for file in files if file.endswith("/__init__.py")]
    except (ValueError, LookupError, TypeError, AttributeError) as problem:
        text = f"{lock} is damaged: {COMPILE}"
        raise ServeError(text) from problem
    return sorted(package.parent for package in packages)


def _import_as(folder: Path, name: str) -> None:
    advice = "say in the configuration how generated code is imported: `package = …`"
    if name.partition(".")[0] in sys.stdlib_module_names:
        text = f"the generated package in {folder} is called `{name}`, as a module of Python is"
        raise ServeError(text, (advice,))
    depth = name.count(".") + 1
    root = str(Path(folder, *[".."] * depth).resolve())
    if root not in sys.path:
        sys.path.insert(0, root)
    failure = f"the generated package `{name}` in {folder} cannot be imported"
    with foreign_code(failure, f"if generated code is damaged, {COMPILE}"):
        module = import_module(name)
    folder_found = Path(module.__file__ or "").parent
    if folder_found.resolve() != folder.resolve():
        text = f"`{name}` is {folder_found}, not {folder}"
        raise ServeError(text, (advice,))


def _service(home: Path, name: str) -> GeneratedService:
    """Return a service with all its schemas loaded, so that damage is reported at start."""
    with foreign_code(f"the generated code in {home} cannot be used", COMPILE):
        definition: object = getattr(import_module(name), "SERVICE", None)
        # Schemas of results are in a separate module, imported on first use.
        if isinstance(definition, ServiceDefinition):
            for tool in definition.tools:
                stored_schemas(tool)
            return GeneratedService(definition, home)
    problem = f"{home / '__init__.py'} contains no service: {COMPILE}"
    raise ServeError(problem)
