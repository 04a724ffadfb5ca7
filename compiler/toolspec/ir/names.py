"""Public names of tools and services, all made by `frontend/naming/`."""

from __future__ import annotations

from toolspec.shared.records import dataclass


@dataclass(frozen=True, slots=True)
class ToolNames:
    """Names of one tool, e.g. of `listRepositories` in `github`.

    `full` is the public name, `github_listRepositories`; `method` is `list_repositories`, `type_stem` is
    `ListRepositories` (its types are `<stem>Input`, `<stem>Arguments`, `<stem>Output`, `<stem>Chunk`).
    """

    full: str
    method: str
    type_stem: str

    @property
    def verify(self) -> str:
        """The method that checks the result of a tool with `verify`."""
        return f"verify_{self.method}"

    @property
    def revert(self) -> str:
        """The method that undoes a tool with `revert`."""
        return f"revert_{self.method}"


@dataclass(frozen=True, slots=True)
class ServiceNames:
    """Names of one service: `module` is a package name, `class_stem` the prefix of class names.

    `prefix` begins the full names of its tools: `github_`, or empty where names are as written.
    """

    module: str
    class_stem: str
    prefix: str = ""
