"""Diagnostic kinds about the output folder: blocked artifacts and ownership."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNWRITABLE = DiagnosticKind(
    code="output/unwritable",
    severity=Severity.ERROR,
    message="cannot write to `{path}`: {reason}",
    hint="nothing was changed; make the folder writable, move the obstacle, or choose another folder with `--out`",
    why="The operating system refused a write. Existing files are unchanged.",
)
OUTPUT_CLASH = DiagnosticKind(
    code="output/path-clash",
    severity=Severity.ERROR,
    message="{problem}",
    hint="{suggestion}",
    why="On a file system that ignores case, one would silently replace the other.",
)
OUTPUT_ESCAPE = DiagnosticKind(
    code="output/outside-folder",
    severity=Severity.ERROR,
    message="the artifact path `{path}` leaves the output folder",
    hint="this is a bug of the target `{target}`; please report it",
    why="No target may write outside the output folder.",
)
OUTPUT_INPUT = DiagnosticKind(
    code="output/replaces-input",
    severity=Severity.ERROR,
    message="the artifact `{path}` would replace a file that the compile reads",
    hint="{suggestion}",
    why="No option makes the compiler overwrite a document, a configuration file or a template.",
)
OUTPUT_LINK = DiagnosticKind(
    code="output/symbolic-link",
    severity=Severity.ERROR,
    message="`{path}` in the output folder is a symbolic link",
    hint="remove the link; generated files are never written through one",
    why="A link in the output folder could redirect a write to any file.",
)
OUTPUT_RESERVED = DiagnosticKind(
    code="output/reserved-name",
    severity=Severity.ERROR,
    message="the artifact path `{path}` has the name `{name}`, which Windows reserves",
    hint="rename the service that the file is made for",
    why=(
        "Windows treats names such as `con` and `nul.txt` as devices, and cannot store a name that "
        "ends in a dot or a space. The repository could not be checked out there."
    ),
)
OUTPUT_TWIN = DiagnosticKind(
    code="output/case-twin",
    severity=Severity.ERROR,
    message="`{path}` and `{twin}` in the output folder differ only in case",
    hint="move `{twin}` away; nothing was changed",
    why="On a file system that ignores case both names are one file.",
)
EDITED = DiagnosticKind(
    code="output/edited-file",
    severity=Severity.ERROR,
    message="the generated file `{path}` was edited",
    hint=(
        "nothing was changed; `toolspec compile --check` shows the difference; move your changes to "
        "the document, then compile with `--overwrite` (the file is kept as `{name}.orig`) or "
        "`--adopt` (it is replaced)"
    ),
    why=(
        "The lock of the output folder has the digest of every generated file. A file with another "
        "digest was edited or merged, and is overwritten only on request."
    ),
)
FOREIGN = DiagnosticKind(
    code="output/foreign-file",
    severity=Severity.ERROR,
    message="`{path}` has the path of a generated file, but the compiler did not write it",
    hint=(
        "nothing was changed; `toolspec compile --check` shows the difference; move the file, "
        "or compile with `--overwrite` (it is kept as `{name}.orig`) or `--adopt` (it is replaced)"
    ),
    why=(
        "Only files that `toolspec.lock.json` lists are replaced. Any other file is adopted silently "
        "only if it has exactly the generated content."
    ),
)
MERGE_CONFLICT = DiagnosticKind(
    code="output/merge-conflict",
    severity=Severity.ERROR,
    message="`{path}` contains an unresolved merge conflict",
    hint=(
        "resolve the conflict in the documents, then compile with `--adopt`, which generates the "
        "files and the lock again"
    ),
    why=(
        "Two branches generated different files, and a merge joined them as text. The merged "
        "documents decide the correct content."
    ),
)
DAMAGED_LOCK = DiagnosticKind(
    code="output/damaged-lock",
    severity=Severity.ERROR,
    message="`{path}` cannot be read: {reason}",
    hint="restore it from version control, or compile with `--adopt`, which writes it again",
    why="Without its lock the compiler cannot identify its own files.",
)
UNNAMED_TARGET = DiagnosticKind(
    code="output/unnamed-target",
    severity=Severity.WARNING,
    message="{files} of {targets} {remain} unchanged: the configuration does not name {them}",
    hint=(
        "{suggestion} in the configuration to keep the files current, or remove the files with "
        "`toolspec compile --prune`"
    ),
    why=(
        "A compile with `--target` writes files that a compile without it does not generate. They may "
        "be in use, so they are not removed, but they are not updated either."
    ),
    example="$ toolspec compile --target anthropic\n$ toolspec compile",
)
EDITED_ORPHAN = DiagnosticKind(
    code="output/edited-orphan",
    severity=Severity.WARNING,
    message="`{path}` is no longer generated, but was edited: it is kept",
    hint="the file is yours now; delete it if you do not need it",
    why="A file that is no longer generated is removed only if it is unchanged.",
)
KEPT = DiagnosticKind(
    code="output/kept-file",
    severity=Severity.NOTE,
    message="the former `{path}` is kept as `{backup}`",
    hint="delete it once you do not need it",
    why="`--overwrite` renames an edited or foreign file before it writes the generated one.",
)
BUSY = DiagnosticKind(
    code="output/busy",
    severity=Severity.ERROR,
    message="another compile has been writing to `{path}` for {seconds} seconds",
    hint="nothing was changed; wait for it to end and compile again",
    why="Two compiles that write to one folder at the same time would mix their files.",
)
UNFINISHED = DiagnosticKind(
    code="output/unfinished",
    severity=Severity.ERROR,
    message="the output in `{path}` is only partly updated: {reason}",
    hint="run `toolspec compile`: it finishes the interrupted update first",
    why=(
        "All files are complete in `.toolspec/` before the first one is moved into place, with a "
        "list of the remaining moves."
    ),
)
DAMAGED_MOVES = DiagnosticKind(
    code="output/damaged-moves",
    severity=Severity.WARNING,
    message="the list of moves in `{path}` cannot be read and was discarded",
    hint="check the output folder with your version control",
    why="A list that the compiler did not write is never executed.",
)

KINDS = (
    UNWRITABLE,
    OUTPUT_CLASH,
    OUTPUT_ESCAPE,
    OUTPUT_INPUT,
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
    DAMAGED_MOVES,
)
