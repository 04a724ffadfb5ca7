"""A small project of three services, and edits of it, each a function of the project's folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from toolspec.driver.build import Request
from toolspec.driver.lint.baseline import NAME
from toolspec.driver.lint.update_baseline import update_baseline

NAMES = ("alpha", "beta", "gamma")


def spec(name: str, description: str = "", tool: str = "ping", extra: str = "") -> str:
    return f"""toolspec: 1
service: {{name: {name}, description: About {name}.}}
{extra}tools:
  - name: {tool}
    description: {description or f"Answer for {name}."}
    mutation: false
    outputSchema: {{type: string}}
"""


def aliased(name: str, alias: str) -> str:
    return spec(name).replace("    mutation", f"    aliases: [{alias}]\n    mutation")


def make(folder: Path) -> Path:
    (folder / "specs" / "parts").mkdir(parents=True)
    for name in NAMES:
        (folder / "specs" / f"{name}.yaml").write_text(spec(name))
    return folder


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


Edit = Callable[[Path], None]


def writes(path: str, text: str) -> Edit:
    def edit(folder: Path) -> None:
        (folder / "specs" / path).write_text(text)

    return edit


def removes(path: str) -> Edit:
    def edit(folder: Path) -> None:
        (folder / "specs" / path).unlink(missing_ok=True)

    return edit


def damages(path: str) -> Edit:
    """Edit a generated file; the next compile has to be told that it may replace it."""

    def edit(folder: Path) -> None:
        (folder / "generated" / path).unlink(missing_ok=True)

    return edit


def configures(lint: str) -> Edit:
    def edit(folder: Path) -> None:
        (folder / "toolspec.toml").write_text(lint)

    return edit


def draws_a_line(folder: Path) -> None:
    update_baseline(Request(folder=folder, has_baseline=False), lambda _: None)


def draws_none(folder: Path) -> None:
    (folder / NAME).unlink(missing_ok=True)


ANY = "# toolspec: allow schema/any-output{} -- the format is open"
LINT = """[lint]
severity = {"schema/any-output" = "error", "naming/repeated-service" = "note"}
[[lint.allow]]
rule = "naming/repeated-service"
tool = "beta_*"
reason = "it is called so"
"""
REF = "{$ref: '../common.yaml#/$defs/Word'}"
PART = """tools:
  - name: inPart
    description: Of a part.
    mutation: true
    outputSchema: {type: integer}
"""
EDITS: dict[str, Edit] = {
    "another description": writes("alpha.yaml", spec("alpha", "Answer twice.")),
    "as it was": writes("alpha.yaml", spec("alpha")),
    "a warning": writes("beta.yaml", spec("beta", tool="betaPing")),
    "a note": writes("gamma.yaml", spec("gamma").replace("{type: string}", "true")),
    "an allowed note": writes(
        "gamma.yaml", spec("gamma").replace("{type: string}", "true " + ANY.format(""))
    ),
    "a note allowed too long": writes(
        "gamma.yaml",
        spec("gamma").replace("{type: string}", "true " + ANY.format(" until 2020-01-31")),
    ),
    "allowed for nothing": writes("alpha.yaml", ANY.format("") + "\n" + spec("alpha")),
    "a member that allows for nothing": writes(
        "beta.yaml", f"x-toolspec-allow: [{{rule: docs, reason: it is so}}]\n{spec('beta')}"
    ),
    "rules weighed": configures(LINT),
    "rules as they are": configures("[lint]\n"),
    "a line": draws_a_line,
    "no line": draws_none,
    "a slip": writes("gamma.yaml", spec("gamma").replace("string}", "string, minLenght: 2}")),
    "an error": writes("beta.yaml", spec("beta").replace("mutation", "muation")),
    "no YAML": writes("gamma.yaml", "toolspec: ["),
    "mended": writes("gamma.yaml", spec("gamma")),
    "mended too": writes("beta.yaml", spec("beta")),
    "a service more": writes("delta.yaml", spec("delta")),
    "a service less": removes("delta.yaml"),
    "a service of the same name": writes("twin.yaml", spec("alpha", tool="pong")),
    "the same in capitals": writes("twin.yaml", spec("aLPHA")),
    "no twin": removes("twin.yaml"),
    "an alias that is the name of a tool elsewhere": writes(
        "beta.yaml", aliased("beta", "alpha_ping")
    ),
    "an alias": writes("beta.yaml", aliased("beta", "old.ping")),
    "an alias that is one elsewhere": writes("gamma.yaml", aliased("gamma", "old.ping")),
    "includes": writes("alpha.yaml", spec("alpha", extra="include: [parts/*.yaml]\n")),
    "also includes": writes("beta.yaml", spec("beta", extra="include: [parts/a.yaml]\n")),
    "a part": writes("parts/a.yaml", PART),
    "a part with an allowed note": writes(
        "parts/a.yaml", PART.replace("{type: integer}", "true " + ANY.format(""))
    ),
    "a part that allows for nothing": writes("parts/a.yaml", ANY.format("") + "\n" + PART),
    "a part with a note": writes("parts/a.yaml", PART.replace("{type: integer}", "true")),
    "another part": writes("parts/b.yaml", PART.replace("inPart", "inPartB")),
    "no part": removes("parts/a.yaml"),
    "no other part": removes("parts/b.yaml"),
    "a part with an error": writes("parts/a.yaml", PART.replace("mutation: true", "mutation: no")),
    "a part with a misspelt keyword": writes(
        "parts/a.yaml", PART.replace("type: integer", "type: integer, minimun: 1")
    ),
    "a part that is no YAML": writes("parts/a.yaml", "tools: ["),
    "definitions": writes(
        "alpha.yaml", spec("alpha", extra="$defs: {Word: {type: string}, Left: {type: integer}}\n")
    ),
    "a use of a definition elsewhere": writes(
        "beta.yaml", spec("beta").replace("{type: string}", "{$ref: 'alpha.yaml#/$defs/Word'}")
    ),
    "a separator that is in names": configures('separator = "-"\n'),
    "a name that splits in two ways": writes("alpha.yaml", spec("alpha", tool="x-ping")),
    "the other way to split it": writes("twin.yaml", spec("alpha-x")),
    "a target and a rule of another distribution": configures(
        'targets = ["python", "catalog", "acme-csv"]\n[target.acme-csv]\nheader = true\n'
        '[lint]\nselect = ["acme"]\noptions = {"acme/no-word" = {word = "Answer"}}\n'
    ),
    "a missing file": damages("alpha/mcp.json"),
    "no index": damages("docs/README.md"),
}
