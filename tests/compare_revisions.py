"""Compares what two revisions of the compiler make of the same documents.

    python tests/compare_revisions.py OLD [NEW] [--dumps FOLDER]

It compiles the example services, the imported dumps and a made project with both revisions, in
checkouts of their own, with the packages of the Python that runs it. Python is compared as syntax
trees without docstrings, JSON as values, diagnostics as (code, severity, file, position).
Differences are grouped by kind; EXPECTED names each kind that an issue asks for. The exit status is
1 where another kind remains.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
DUMPS = ROOT.parent / "shared" / "corpus" / "mcp-tools"
COMMAND = "from toolspec.cli.main import main; main()"
TARGETS = (
    "python", "catalog", "mcp-2026-07-28", "mcp-2025-11-25", "openai-responses",
    "openai-chat-strict", "anthropic", "gemini",
)  # fmt: skip

# A pattern of a kind of difference, and the point of an issue that asks for it.
EXPECTED = {
    r"client\.py (added|removed): class, signature": (
        "issue 11, point 10: a client method needs no argument only where `{}` is valid"
    ),
    r"mcp(-2025-11-25)?\.json added: /tools/\*/…/aliases": (
        "issue 11, point 10: manifests state aliases"
    ),
    r"catalog\.json removed: /tools/\*/…/line": "issue 12, point 8: no line numbers",
    r"client\.py removed: Assign": "issue 12, point 8: a client takes the tools from its package",
    r"client\.py (added|removed): ImportFrom": "issue 12, point 8: the same",
    r".*\.ledger\.json changed: /tools/\*/…/detail": "issue 12, point 6: plain English",
    r"mcp-2025-11-25\.json removed: /tools/\*/execution": (
        "issue 12, point 8: manifests leave out a default of MCP"
    ),
    r"(anthropic|openai-chat-strict)\.ledger\.json changed: /tools/\*/changes": (
        "issue 16, point 4: a line on the result is an entry of the ledger"
    ),
}

# Keys of JSON that were renamed, and the point.
RENAMED = {"fate": ("outcome", "issue 12, point 1: names of the glossary")}

# Text of statements that differs in every file: a pattern, what is compared in its place, and the point.
REWRITTEN = (
    (r", source='[^']*'", "", "issue 12, point 8: the file of a service is written once"),
    (
        r", summary=('[^']*'|\"[^\"]*\")",
        "",
        "issue 12, point 8: a summary that repeats is left out",
    ),
    (
        r"self\._(call|stream|deliver)\((_[A-Z0-9_]+|'\w+')",
        r"self._\1(TOOL",
        "issue 12, point 8: a client takes the tools from its package",
    ),
    (
        r", assumed_destructive=True",
        "",
        "issue 14, point 5: the runtime knows which tools nobody has stated to be destructive",
    ),
    (
        r", origin=\((?:'[^']*'|\"[^\"]*\")(?:, (?:'[^']*'|\"[^\"]*\")){2}\)",
        "",
        "seed 001: a tool says at run time what it was imported from",
    ),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of one file: its kind, and the lines or values that differ."""

    kind: str
    file: str
    detail: str


@dataclass(frozen=True, slots=True)
class Output:
    """Artifacts and diagnostics of one revision for one project."""

    files: dict[str, str]
    diagnostics: list[tuple[str, str, str, int, int]]


def run(checkout: Path, folder: Path, *arguments: str | Path) -> str:
    """Return what a checkout's command prints; diagnostics may make it exit with 1."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "compiler")}
    command = [sys.executable, "-c", COMMAND, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in {0, 1} or "Traceback" in done.stderr:
        sys.exit(f"{checkout.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def projects(old: Path, scratch: Path, dumps: Path) -> Iterator[tuple[str, Path]]:
    """Write the projects that are compared, and yield their names and `specs` folders."""
    yield "examples", old / "specs"
    if dumps.is_dir():
        folder = scratch / "imported"
        folder.mkdir()
        run(old, folder, "import", "mcp-tools", *sorted(dumps.glob("*.json")), "--to", "specs")
        yield "dumps", folder / "specs"
    made = scratch / "made"
    subprocess.run([sys.executable, ROOT / "benchmarks" / "corpus.py", made, "200"], check=True)
    yield "made", made / "yaml" / "specs"


def output(checkout: Path, specs: Path, folder: Path) -> Output:
    """Return what a checkout makes of the documents below `specs`."""
    folder.mkdir(parents=True)
    (folder / "specs").symlink_to(specs)
    (folder / "toolspec.toml").write_text(f"targets = {json.dumps(TARGETS)}\n", encoding="utf-8")
    run(checkout, folder, "compile", "--format", "short")
    printed = run(checkout, folder, "check", "--format", "json")
    below = folder / "generated"
    files = {
        path.relative_to(below).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(below.rglob("*"))
        if path.suffix in {".py", ".pyi", ".json"} and path.name != "toolspec.lock.json"
    }
    return Output(files, sorted(map(position, json.loads(printed)["diagnostics"])))


def position(diagnostic: dict[str, Any]) -> tuple[str, str, str, int, int]:
    """Return the parts of a diagnostic that are compared."""
    start = next((span["start"] for span in diagnostic["spans"] if span["primary"]), {})
    file = next((span["file"] for span in diagnostic["spans"] if span["primary"]), "")
    line, column = start.get("line", 0), start.get("column", 0)
    return diagnostic["code"], diagnostic["severity"], file, line, column


def differences(before: Output, after: Output) -> Iterator[Difference]:
    """Yield the differences of two outputs."""
    for file in sorted({*before.files, *after.files}):
        if file not in after.files or file not in before.files:
            change = "added" if file in after.files else "removed"
            yield Difference(f"file {change}: {Path(file).name}", file, "")
        elif file.endswith(".json"):
            values = tuple(map(read_json, (before.files[file], after.files[file])))
            if file == "catalog.json":
                values = tuple(map(with_defaults, values))
            yield from differing_values(file, *values)
        else:
            yield from differing_code(file, before.files[file], after.files[file])
    for change, one, other in (("removed", before, after), ("added", after, before)):
        rest = list(other.diagnostics)
        for diagnostic in one.diagnostics:
            if diagnostic in rest:
                rest.remove(diagnostic)
            else:
                yield Difference(
                    f"diagnostic {change}: {diagnostic[0]}", diagnostic[2], str(diagnostic)
                )


def read_json(text: str) -> Any:
    """Return the value of a JSON text with the newer names of its keys."""
    return json.loads(
        text,
        object_pairs_hook=lambda members: {
            RENAMED[key][0] if key in RENAMED else key: value for key, value in members
        },
    )


def with_defaults(catalog: dict[str, Any]) -> dict[str, Any]:
    """Return a catalog with the members that newer revisions leave out (issue 12, point 8)."""
    schema = json.loads((ROOT / "schemas" / "catalog.v1.schema.json").read_text(encoding="utf-8"))

    def defaults(kind: str) -> dict[str, Any]:
        members = schema["$defs"][kind]["properties"].items()
        return {name: member["default"] for name, member in members if "default" in member}

    services, tools = (
        [defaults(kind) | entry for entry in catalog[f"{kind}s"]] for kind in ("service", "tool")
    )
    for tool in tools:
        tool.setdefault("exactName", tool["name"])
        tool.setdefault("summary", tool["description"])
        source = {"origin": None} | tool["source"]
        if "schemas" in tool:  # digests had two places before (issue 12, point 8)
            tool["digests"] = {"definition": source.pop("digest")} | tool.pop("schemas")
        tool["digests"] = {"chunk": None} | tool["digests"]
        tool["source"] = source
    return {**catalog, "services": services, "tools": tools}


def differing_values(
    file: str, before: object, after: object, path: str = ""
) -> Iterator[Difference]:
    """Yield the differences of two JSON values."""
    name = Path(file).name
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            inner = f"{path}/{key}"
            if key not in after or key not in before:
                change = "added" if key in after else "removed"
                yield Difference(f"{name} {change}: {general(inner)}", file, inner)
            else:
                yield from differing_values(file, before[key], after[key], inner)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, pair in enumerate(zip(before, after, strict=True)):
            yield from differing_values(file, *pair, f"{path}/{index}")
    elif before != after or type(before) is not type(after):
        detail = f"{path}: {json.dumps(before)[:300]} -> {json.dumps(after)[:300]}"
        yield Difference(f"{name} changed: {general(path)}", file, detail)


def general(path: str) -> str:
    """Return a path of JSON without indices and without names below `properties` and `$defs`."""
    path = re.sub(r"/(properties|\$defs|definitions|patternProperties)/[^/]+", r"/\1/*", path)
    parts = re.sub(r"/\d+(?=/|$)", "/*", path).split("/")
    return "/".join(parts[:3] + ["…"] * (len(parts) > 4) + parts[max(3, len(parts) - 1) :])


def differing_code(file: str, before: str, after: str) -> Iterator[Difference]:
    """Yield the statements of two modules that differ, without docstrings."""
    texts = [statements(ast.parse(text)) for text in (before, after)]
    for change, one, other in (("removed", *texts), ("added", *reversed(texts))):
        for name, text in one:
            if (name, text) not in other:
                yield Difference(f"{Path(file).name} {change}: {name}", file, text[:600])


def statements(module: ast.Module) -> list[tuple[str, str]]:
    """Return the kind and the text of each statement of a module and of its classes."""

    def rewritten(text: str) -> str:
        for pattern, replacement, _ in REWRITTEN:
            text = re.sub(pattern, replacement, text)
        return text

    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and str(node.value).startswith("{"):
            with suppress(ValueError):  # issue 12, point 8: an order of keywords changes no file
                node.value = json.dumps(json.loads(node.value), sort_keys=True)
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [item for item in body if not is_docstring(item)] or [ast.Pass()]  # type: ignore[attr-defined]
    listed: list[tuple[str, str]] = []
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                listed += [(f"class, {name}", f"{node.name}: {text}") for name, text in parts(item)]
        else:
            listed += parts(node)
    return [(name, rewritten(text)) for name, text in listed]


def parts(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of a statement; of a function, its signature and its body."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        body = "\n".join(map(ast.unparse, node.body))
        yield "body", f"{node.name}: {body}"
        node.body = [ast.Pass()]
        yield "signature", ast.unparse(node)
    else:
        yield type(node).__name__, ast.unparse(node)


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def main() -> None:
    """Compare two revisions, and print the kinds of differences with examples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--dumps", type=Path, default=DUMPS)
    parser.add_argument("--examples", type=int, default=2, help="examples of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        checkouts = [folder / "old-revision", folder / "new-revision"]
        for path, revision in zip(checkouts, (options.old, options.new), strict=True):
            archive = subprocess.run(
                ["git", "archive", revision], cwd=ROOT, capture_output=True, check=True
            )
            path.mkdir()
            subprocess.run(["tar", "-x", "-C", path], input=archive.stdout, check=True)
        kinds: defaultdict[str, list[Difference]] = defaultdict(list)
        files = 0
        for name, specs in projects(checkouts[0], folder, options.dumps):
            outputs = [output(path, specs, folder / name / path.name) for path in checkouts]
            files += len(outputs[0].files)
            for difference in differences(*outputs):
                kinds[difference.kind].append(difference)
    unexpected = 0
    for name, members in sorted(kinds.items()):
        reason = next((EXPECTED[each] for each in EXPECTED if re.fullmatch(each, name)), None)
        print(f"{len(members):6} {name}{f'  ({reason})' if reason else ''}")
        if reason is None:
            unexpected += 1
            for member in members[: options.examples]:
                print(f"         {member.file}: {member.detail}")
    print(f"{files} files compared, {len(kinds)} kinds of differences, {unexpected} unexpected")
    sys.exit(unexpected > 0)


if __name__ == "__main__":
    main()
