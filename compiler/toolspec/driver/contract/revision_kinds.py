"""Diagnostic kinds about revisions of a git repository."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

NO_GIT = DiagnosticKind(
    code="project/missing-git",
    severity=Severity.ERROR,
    message="revisions are read with `git`, which is not installed",
    hint="install git, or compare two folders",
    why="A revision is read from the repository's objects by the program `git`.",
)
NO_REPOSITORY = DiagnosticKind(
    code="project/missing-repository",
    severity=Severity.ERROR,
    message="`{revision}` cannot be read here: {reason}",
    hint="run this inside the git repository that has the revision",
    why="A revision is searched in the repository of the current folder.",
)
UNKNOWN_REVISION = DiagnosticKind(
    code="project/missing-revision",
    severity=Severity.ERROR,
    message="the repository has no revision `{revision}`{cause}",
    hint="{suggestion}",
    why=(
        "A clone has only the revisions that were fetched: a shallow one lacks the history, and the "
        "checkout of a CI service often has a single commit."
    ),
)
MISSING_OBJECT = DiagnosticKind(
    code="project/missing-object",
    severity=Severity.ERROR,
    message="the repository has no content of `{path}` at `{revision}`",
    hint="fetch the contents: `git fetch --refetch --no-filter`",
    why="A partial clone lacks the contents of files, and a comparison never uses the network.",
)
LINK_OUTSIDE = DiagnosticKind(
    code="project/revision-link",
    severity=Severity.ERROR,
    message="`{path}` of `{revision}` is a link out of the repository",
    hint="replace the link by the file that it leads to",
    why=(
        "A revision is compiled apart from the files around the repository, and it may contain a link "
        "to any file that you can read."
    ),
)

SUBMODULE = DiagnosticKind(
    code="project/revision-submodule",
    severity=Severity.ERROR,
    message="`{path}` of `{revision}` is a submodule, whose documents are in another repository",
    hint="compare there: `cd {path}`, with a revision of the submodule",
    why=(
        "A revision of a repository names a commit of each submodule, and has none of its files. Without "
        "them every tool would seem to be new."
    ),
)

KINDS = (NO_GIT, NO_REPOSITORY, UNKNOWN_REVISION, MISSING_OBJECT, LINK_OUTSIDE, SUBMODULE)
