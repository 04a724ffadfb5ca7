"""Proofs are asked for only where they are cheap, and the engine answers as it did."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import toolspec
from sampling import sampled
from schema_probe import bundle, told
from toolspec.cli.compiling import compile_specs
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn, ReportOptions
from toolspec.driver import workers
from toolspec.driver.analysis import analyse
from toolspec.driver.build import CompileOptions, Request
from toolspec.frontend.resolve import service
from toolspec.schema import InstanceValidator
from toolspec.schema.containment import Limits, Measure, Prover, Verdict
from toolspec.shared.validator import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.driver.analysis import Analysis, AnalysisTask
    from toolspec.driver.workspace import ParsedFile
    from toolspec.syntax.nodes import JsonValue

VERDICTS = json.loads((Path(__file__).parent / "engine_verdicts.json").read_text("utf-8"))


def tagged(number: int, extra: int = 6) -> dict[str, JsonValue]:
    named = {f"p{number}_{at}": {"type": "string"} for at in range(extra)}
    properties = {"k": {"const": f"k{number}"}, **named}
    return {"type": "object", "properties": properties, "required": ["k"]}


def pair(number: int) -> JsonValue:
    return {"anyOf": [{"required": [f"a{number}"]}, {"required": [f"b{number}"]}]}


# Each takes the engine longer than anybody waits: containment.md has the times.
ENDLESS = {
    "a union and one more branch": {"oneOf": [*(tagged(n) for n in range(220)), tagged(220, 0)]},
    "a product of pairs": {"allOf": [pair(n) for n in range(24)]},
    "open objects": {
        "oneOf": [{"properties": {f"p{n}": {}}, "minProperties": n} for n in range(99)]
    },
    "conditions": {"allOf": [{"if": pair(n), "then": pair(n + 1)} for n in range(20)]},
    "dependencies": {
        "dependentRequired": {f"p{n}": [f"q{n}"] for n in range(30)},
        "minProperties": 1,
    },
}


def verdict(schema: JsonValue, limits: Limits | None = None) -> Verdict:
    made = bundle(schema)
    with closing(Prover(limits)) as prover:
        question = prover.proofs_of(made, InstanceValidator(made))
        return question.verdict(()) if question else Verdict.TOO_COMPLEX


@pytest.mark.parametrize(
    "entry", sampled(VERDICTS, 12), ids=lambda entry: json.dumps(entry["schema"])[:60]
)
def test_the_engine_answers_as_it_did(entry: dict[str, JsonValue]) -> None:
    """Every upgrade of the engine has to pass: no proof is lost, and none is wrong."""
    expected = Verdict.NOT_PROVED if "value" in entry else Verdict.UNSATISFIABLE
    assert verdict(entry["schema"]) is expected
    if "value" in entry:
        made = bundle(entry["schema"])
        assert InstanceValidator(made).accepts((), entry["value"])


@pytest.mark.prove
def test_a_child_process_answers_as_this_one() -> None:
    entries = VERDICTS[::12]
    in_child = Limits(in_process=-1, of_service=10**9)
    assert [verdict(each["schema"], in_child) for each in entries] == [
        verdict(each["schema"]) for each in entries
    ]


@pytest.mark.prove
def test_one_child_process_answers_all_questions_until_one_takes_too_long() -> None:
    limits = Limits(complexity=10**9, of_service=10**10, in_process=-1)
    wrong = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    with closing(Prover(limits)) as prover:

        def answer(schema: JsonValue) -> Verdict:
            return prover.prove(0, lambda: schema)

        started = []
        with pytest.MonkeyPatch.context() as patch:
            start = subprocess.Popen
            patch.setattr(
                subprocess, "Popen", lambda *of, **said: started.append(of) or start(*of, **said)
            )
            assert answer(wrong) is answer(wrong) is Verdict.UNSATISFIABLE
            assert answer({"$ref": "#/nowhere"}) is Verdict.NOT_PROVED
            assert len(started) == 1
            assert answer(ENDLESS["a product of pairs"]) is Verdict.EXPIRED
            assert answer(wrong) is Verdict.UNSATISFIABLE
            assert len(started) == 2


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_take_long_is_not_asked(name: str) -> None:
    schema = ENDLESS[name]
    assert verdict(schema) is Verdict.TOO_COMPLEX
    assert told(schema) == []


def test_a_part_is_proved_where_the_whole_is_too_complex() -> None:
    wrong = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    properties = {"to": ENDLESS["a union and one more branch"], "wrong": wrong}
    schema = {"type": "object", "properties": properties, "required": ["to", "wrong"]}
    assert verdict(schema) is Verdict.TOO_COMPLEX
    assert told(schema) == [("schema/unsatisfiable", "/properties/wrong/allOf")]


def test_the_proofs_of_a_service_share_a_limit() -> None:
    schema = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    made = bundle(schema)
    prover = Prover(Limits(of_service=20))
    answers = [
        question.verdict(()) if question else Verdict.TOO_COMPLEX
        for question in (prover.proofs_of(made, InstanceValidator(made)) for _ in range(10))
    ]
    assert answers[0] is Verdict.UNSATISFIABLE
    assert answers[-1] is Verdict.TOO_COMPLEX


def test_branches_that_types_tell_apart_do_not_count() -> None:
    def complexity(schema: JsonValue) -> int:
        made = bundle(schema)
        return Measure(made.nodes(), made.targets()).complexity((), 500)

    apart = {"anyOf": [{"type": name} for name in ("string", "integer", "array", "null")]}
    overlapping = {"anyOf": [{"type": "string", "minLength": n} for n in range(4)]}
    assert complexity(apart) == 5
    assert complexity(overlapping) == 5 * 4 * 4


@pytest.fixture
def without_measure(monkeypatch: pytest.MonkeyPatch) -> Limits:
    """Let every schema be asked about, in a process that may take a second."""
    limits = Limits(complexity=10**9, of_service=10**10, in_process=-1)
    monkeypatch.setattr(service, "Prover", partial(Prover, limits))
    return limits


DOCUMENT = {
    "toolspec": 1,
    "service": {"name": "post", "description": "Sends."},
    "tools": [
        {
            "name": "read",
            "description": "Read what was sent to somebody.",
            "mutation": False,
            "inputSchema": {
                "type": "object",
                "required": ["to"],
                "properties": {
                    "to": {"description": "Who.", "allOf": [pair(n) for n in range(24)]}
                },
            },
            "outputSchema": {"type": "null"},
        }
    ],
}


WRONG = json.dumps(
    {
        "type": "object",
        "required": ["to"],
        "properties": {
            "to": {"description": "Who.", "allOf": [{"type": "string"}, {"type": "integer"}]}
        },
    }
)


@pytest.mark.prove
def test_a_proof_that_takes_too_long_is_a_note_that_fails_nothing_and_is_not_cached(
    without_measure: Limits,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "post.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    (tmp_path / "toolspec.toml").write_text('[lint]\npreset = "core-2026-11"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["toolspec", "compile"])
    assert (
        compile_specs(Request(), CompileOptions(), ReportOptions(fail_on=FailOn.NOTE)) is Exit.CLEAN
    )
    assert "note[schema/not-proved]" in capsys.readouterr().out
    kept = [path.name for path in (tmp_path / ".toolspec-cache").glob("*")]
    assert [name for name in kept if name != ".gitignore"] == []


def test_with_the_other_validator_one_note_a_run_says_that_nothing_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine is not asked although it is installed, and what it found before is not repeated."""
    text = json.dumps(DOCUMENT).replace(json.dumps(DOCUMENT["tools"][0]["inputSchema"]), WRONG)  # type: ignore[index]
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "post.json").write_text(text, encoding="utf-8")
    (tmp_path / "specs" / "mail.json").write_text(text.replace("post", "mail"), encoding="utf-8")
    (tmp_path / "toolspec.toml").write_text('[lint]\npreset = "core-2026-11"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["toolspec", "compile"])

    def compile_both() -> tuple[Exit, int, int]:
        status = compile_specs(Request(), CompileOptions(), ReportOptions(fail_on=FailOn.NOTE))
        printed = capsys.readouterr().out
        return status, printed.count("[schema/unsatisfiable]"), printed.count("[schema/no-proofs]")

    assert compile_both() == (Exit.DIAGNOSTICS, 2, 0)
    monkeypatch.setenv(VARIABLE, "jsonschema")
    assert compile_both() == (Exit.CLEAN, 0, 1)
    monkeypatch.delenv(VARIABLE)
    assert compile_both() == (Exit.DIAGNOSTICS, 2, 0)


def test_what_the_cache_keeps_is_of_one_validator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "post.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    (tmp_path / "toolspec.toml").write_text('[lint]\npreset = "core-2026-11"\n', encoding="utf-8")

    def compile_it(validator: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "toolspec", "compile"],
            cwd=tmp_path,
            env={**os.environ, VARIABLE: validator},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "no-proofs" not in compile_it("")
    assert "no-proofs" not in compile_it("")
    assert compile_it("jsonschema").count("note[schema/no-proofs]") == 1
    assert "no-proofs" not in compile_it("")


def test_a_service_without_proofs_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "post.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    (tmp_path / "toolspec.toml").write_text('[lint]\npreset = "core-2026-11"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["toolspec", "compile"])
    monkeypatch.setenv(VARIABLE, "jsonschema")
    analysed: list[str] = []

    def counted(task: AnalysisTask, *parsed: dict[str, ParsedFile]) -> Analysis:
        analysed.append(task.name)
        return analyse(task, *parsed)

    monkeypatch.setattr(workers, "analyse", counted)
    for _ in range(2):
        assert compile_specs(Request(), CompileOptions(), ReportOptions()) is Exit.CLEAN
        assert capsys.readouterr().out.count("[schema/no-proofs]") == 1
    assert analysed == ["specs/post.json"]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{each.name}" for each in names)


def test_one_module_alone_uses_the_canonical_api() -> None:
    api = ("jsonschema_rs.canonical", "jsonschema_rs.canonicalize")
    using = {
        path.name
        for path in Path(toolspec.__file__).parent.rglob("*.py")
        if "jsonschema_rs" in path.read_text("utf-8")
        and any(name.startswith(api) for name in _imports(path))
    }
    assert using == {"containment.py"}


@pytest.mark.prove
def test_ten_runs_under_load_print_the_same(tmp_path: Path) -> None:
    """Proofs at the limit of the measure, in child processes, while every core is busy three times over."""
    choices = {
        f"to{n}": {"description": "Who.", "oneOf": [tagged(k, 6) for k in range(4)]}
        for n in range(4)
    }
    tool = {**DOCUMENT["tools"][0]}  # type: ignore[index, dict-item] # the document above
    tool["inputSchema"] = {
        "type": "object",
        "required": [*choices],
        "properties": {name: {**each, "minProperties": 1} for name, each in choices.items()},
    }
    (tmp_path / "post.json").write_text(json.dumps({**DOCUMENT, "tools": [tool]}), encoding="utf-8")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
    try:
        command = [Path(sys.executable).with_name("toolspec"), "check", "post.json"]
        runs = [
            subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
            for _ in range(10)
        ]
    finally:
        for each in busy:
            each.kill()
            each.wait()
    assert len({(each.returncode, each.stdout) for each in runs}) == 1
    assert runs[0].returncode == 0
    assert b"not-proved" not in runs[0].stdout
