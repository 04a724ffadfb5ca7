"""Diagnostic kinds about the output folder: blocked artifacts and ownership."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNWRITABLE = DiagnosticKind(
    code="output/unwritable",
    severity=Severity.ERROR,
    message="cannot write to `{path}`: {reason}",
    hint="nothing was changed; make the folder writable, move what is in its way, or choose another with `--out`",
    why="The file system refused a write. Files that were already there keep their old text.",
)
OUTPUT_CLASH = DiagnosticKind(
    code="output/path-clash",
    severity=Severity.ERROR,
    message="two artifacts want the file `{path}`",
    hint="{suggestion}, or leave out one of the targets {targets}",
    why="On a file system that ignores case one of them would silently replace the other.",
)
OUTPUT_ESCAPE = DiagnosticKind(
    code="output/outside-folder",
    severity=Severity.ERROR,
    message="the artifact path `{path}` leaves the output folder",
    hint="this is a mistake of the target `{target}`; please report it",
    why="Whatever a target asks for, nothing is written outside the output folder.",
)
OUTPUT_LINK = DiagnosticKind(
    code="output/symbolic-link",
    severity=Severity.ERROR,
    message="`{path}` in the output folder is a symbolic link",
    hint="remove the link; generated files are never written through one",
    why="A link in the output folder could lead a write to any place of the disk.",
)
OUTPUT_RESERVED = DiagnosticKind(
    code="output/reserved-name",
    severity=Severity.ERROR,
    message="the artifact path `{path}` has the name `{name}`, which Windows reserves",
    hint="rename the service that the file is made for",
    why=(
        "Windows takes names such as `con` and `nul.txt` for devices and cannot store a name that "
        "ends in a dot or a space, so that the repository could not be checked out there."
    ),
)
OUTPUT_TWIN = DiagnosticKind(
    code="output/case-twin",
    severity=Severity.ERROR,
    message="`{path}` and `{twin}` in the output folder differ only in case",
    hint="move `{twin}` away; nothing was changed",
    why="On a file system that ignores case the two are one file, and one would replace the other.",
)
EDITED = DiagnosticKind(
    code="output/edited-file",
    severity=Severity.ERROR,
    message="the generated file `{path}` was edited",
    hint=(
        "nothing was changed; `toolspec compile --check` shows the whole difference; put it into "
        "the document, then compile with `--overwrite` (your file is kept as `{name}.orig`) or "
        "`--adopt` (it is replaced)"
    ),
    why=(
        "The lock of the output folder holds the digest of every file that was written. One that "
        "differs from it was changed by somebody, or by a merge, and is not overwritten unasked."
    ),
)
FOREIGN = DiagnosticKind(
    code="output/foreign-file",
    severity=Severity.ERROR,
    message="`{path}` is in the place of a generated file, but the compiler did not write it",
    hint=(
        "nothing was changed; `toolspec compile --check` shows the whole difference; move the file, "
        "or compile with `--overwrite` (it is kept as `{name}.orig`) or `--adopt` (it is replaced)"
    ),
    why=(
        "Only files that `toolspec.lock.json` lists are replaced. A file of anybody else that "
        "holds exactly what would be written is taken over silently."
    ),
)
MERGE_CONFLICT = DiagnosticKind(
    code="output/merge-conflict",
    severity=Severity.ERROR,
    message="`{path}` holds an unresolved merge conflict",
    hint=(
        "resolve the conflict in the documents, then compile with `--adopt`: generated files are "
        "made anew, and so is the lock"
    ),
    why=(
        "Two branches generated different files and a merge joined them as text. What is right "
        "follows from the merged documents alone."
    ),
)
DAMAGED_LOCK = DiagnosticKind(
    code="output/damaged-lock",
    severity=Severity.ERROR,
    message="`{path}` cannot be read: {reason}",
    hint="restore it from version control, or compile with `--adopt`, which makes it anew",
    why="Without its lock the compiler cannot tell its own files from those of others.",
)
UNNAMED_TARGET = DiagnosticKind(
    code="output/unnamed-target",
    severity=Severity.WARNING,
    message="{files} of {targets} stay as they are: the configuration does not name {them}",
    hint=(
        "add {them} to `targets` in the configuration to keep the files current, or remove the files "
        "with `toolspec compile --prune`"
    ),
    why=(
        "A compile with `--target` writes files that the next compile without it does not make. They "
        "may be in use, so they are not removed, but they are not renewed either."
    ),
    example="$ toolspec compile --target anthropic\n$ toolspec compile",
)
EDITED_ORPHAN = DiagnosticKind(
    code="output/edited-orphan",
    severity=Severity.WARNING,
    message="`{path}` is no longer generated, but was edited: it stays",
    hint="it is yours now; delete it if you do not need it",
    why="A file that no document asks for any more is only removed as the compiler wrote it.",
)
KEPT = DiagnosticKind(
    code="output/kept-file",
    severity=Severity.NOTE,
    message="what stood at `{path}` is kept as `{backup}`",
    hint="delete it once you do not need it",
    why="`--overwrite` renames a file of somebody before it puts a generated one in its place.",
)
BUSY = DiagnosticKind(
    code="output/busy",
    severity=Severity.ERROR,
    message="another compile has been writing to `{path}` for {seconds} seconds",
    hint="nothing was changed; wait for it to end and compile again",
    why="Two compiles that write to one folder at once would mix their files.",
)
UNFINISHED = DiagnosticKind(
    code="output/unfinished",
    severity=Severity.ERROR,
    message="the output in `{path}` is only partly renewed: {reason}",
    hint="run `toolspec compile`: it first finishes what was begun, and loses nothing",
    why=(
        "All files are complete in `.toolspec/` before the first is put in its place, with a "
        "journal of what is still to be done."
    ),
)
DAMAGED_JOURNAL = DiagnosticKind(
    code="output/damaged-journal",
    severity=Severity.WARNING,
    message="the journal in `{path}` cannot be read and was discarded",
    hint="look through the output folder with your version control",
    why="A journal that the compiler did not write is never followed.",
)

KINDS = (
    UNWRITABLE,
    OUTPUT_CLASH,
    OUTPUT_ESCAPE,
    OUTPUT_LINK,
    OUTPUT_RESERVED,
    OUTPUT_TWIN,
    EDITED,
    FOREIGN,
    MERGE_CONFLICT,
    DAMAGED_LOCK,
    UNNAMED_TARGET,
    EDITED_ORPHAN,
    KEPT,
    BUSY,
    UNFINISHED,
    DAMAGED_JOURNAL,
)
