"""The official JSON-Schema-Test-Suite through generated packages, as inputs and as outputs.

Each group's schema is compiled into a service with the others of its file; what the compiler refuses has
a reason of the closed list in compiler/decisions/0020-references-and-dialects.md. The suite comes from
the source distribution of `jsonschema`, which carries it.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from compiled_schemas import compile_schemas
from sampling import sampled
from schema_packages import unpacked
from toolspec.schema.dialect import Dialect
from toolspec.shared.explanation import Explainer
from toolspec.shared.validator import VARIABLE, InvalidSchemaError, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import JsonValue

FOLDERS = {
    "draft4": Dialect.DRAFT_04,
    "draft6": Dialect.DRAFT_06,
    "draft7": Dialect.DRAFT_07,
    "draft2019-09": Dialect.DRAFT_2019_09,
    "draft2020-12": Dialect.DRAFT_2020_12,
}
PARTS = {".": "annotate", "optional/format": "assert"}
"""What is done about formats in each part of a draft. No schema of `optional/format` is refused."""
VALIDATORS = ("jsonschema-rs", "jsonschema")
# The package jsonschema refuses patterns that Python cannot run safely (decision 0004).
UNSAFE = {"jsonschema-rs": frozenset[str](), "jsonschema": frozenset({"schema/bad-pattern"})}
DECISION = Path(__file__).parents[2] / "compiler/decisions/0020-references-and-dialects.md"
PACKAGE = "jsonschema==4.26.0"
SEED, SAMPLES = 11, 15


def listed_reasons() -> set[str]:
    """Return the codes that the decision lists as reasons for which a schema is refused."""
    return set(re.findall(r"^\| `([a-z-]+/[a-z-]+)`", DECISION.read_text("utf-8"), re.MULTILINE))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Return the folder of the suite."""
    return unpacked(PACKAGE, tmp_path_factory, request) / "json/tests"


def groups_of(folder: Path, dialect: Dialect) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the files of a draft with their groups, each schema of which declares its dialect."""
    for path in sorted(folder.glob("*.json")):
        groups = json.loads(path.read_text("utf-8"))
        for group in groups:
            schema = group["schema"]
            if isinstance(schema, dict) and "$schema" not in schema:
                group["schema"] = {"$schema": dialect.uri, **schema}
        yield path.stem, groups


def check_groups(
    groups: list[dict[str, Any]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    formats: str = "annotate",
) -> tuple[list[str], Counter[str], int]:
    """Return wrong verdicts, how often each reason refused a schema, and how many verdicts were right."""
    schemas: dict[str, JsonValue] = {f"s{at}": group["schema"] for at, group in enumerate(groups)}
    compiled = compile_schemas(schemas, folder, monkeypatch, formats)
    wrong: list[str] = []
    right = 0

    async def verdicts(name: str, value: JsonValue) -> tuple[bool, bool]:
        as_input = await compiled.accepts_input(name, value)
        return as_input, await compiled.accepts_output(name, value)

    for name, group in zip(schemas, groups, strict=True):
        if "schema/unsatisfiable" in compiled.refused.get(name, ()):
            wrong += [
                f"{group['description']}: refused" for each in group["tests"] if each["valid"]
            ]
        for test in group["tests"] if name not in compiled.refused else ():
            seen = asyncio.run(verdicts(name, test["data"]))
            if seen != (test["valid"], test["valid"]):
                wrong.append(f"{group['description']}: {test['description']}: {seen}")
            else:
                right += 2
    return wrong, Counter(code for codes in compiled.refused.values() for code in codes), right


@pytest.mark.prove
@pytest.mark.parametrize("validator", VALIDATORS)
@pytest.mark.parametrize("draft", FOLDERS)
@pytest.mark.parametrize("part", PARTS)
def test_no_verdict_differs_from_the_suite(  # noqa: PLR0913 - what is combined
    *,
    draft: str,
    part: str,
    validator: str,
    suite: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, validator)
    wrong: list[str] = []
    refused: Counter[str] = Counter()
    right = 0
    for name, groups in groups_of(suite / draft / part, FOLDERS[draft]):
        package = re.sub(r"\W", "_", f"{validator}_{draft}_{PARTS[part]}_{name}")
        failed, reasons, passed = check_groups(groups, tmp_path / package, monkeypatch, PARTS[part])
        wrong += [f"{name}: {each}" for each in failed]
        refused += reasons
        right += passed
    print(f"{validator}, {draft}/{part}: {right} right verdicts; refused: {dict(refused)}")
    assert wrong == []
    assert right > (1_000 if part == "." else 300)
    allowed = listed_reasons() if part == "." else set()
    assert refused.keys() <= allowed | UNSAFE[validator]


@pytest.mark.parametrize("validator", sampled(VALIDATORS, 1))
def test_a_sample_of_the_suite_gets_its_verdicts(
    validator: str, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, validator)
    every = [
        group
        for draft, dialect in FOLDERS.items()
        for _, groups in groups_of(suite / draft, dialect)
        for group in groups
    ]
    sample = random.Random(SEED).sample(every, SAMPLES)  # noqa: S311 - a sample, no secret
    wrong, refused, right = check_groups(
        sample, tmp_path / f"sample_{validator.replace('-', '_')}", monkeypatch
    )
    assert wrong == []
    assert right > SAMPLES
    assert refused.keys() <= listed_reasons() | UNSAFE[validator]


UNLIKE = {
    "ecmascript-regex": "`re` has no Unicode properties and other names for groups",
}
"""Optional files in which the package jsonschema may differ, and why."""


@pytest.mark.prove
def test_both_validators_agree_and_every_refusal_is_explained(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    differing, unexplained, count = [], [], 0
    for path in sorted((suite / "draft2020-12").rglob("*.json")):
        formats = path.parent.name == "format"
        for group in json.loads(path.read_text("utf-8")):
            schema = group["schema"]
            try:
                monkeypatch.delenv(VARIABLE, raising=False)
                accepts = compiled(schema, formats=formats)
            except InvalidSchemaError:  # it refers to a document that is nowhere
                continue
            monkeypatch.setenv(VARIABLE, "jsonschema")
            other = compiled(schema, formats=formats)
            monkeypatch.delenv(VARIABLE)
            for test in group["tests"]:
                count += 1
                verdict = accepts(test["data"])
                name = f"{path.stem}: {group['description']}: {test['description']}"
                if verdict != other(test["data"]) and path.stem not in UNLIKE:
                    differing.append(name)
                errors = Explainer(schema, formats=formats).errors(test["data"])
                is_found = errors[0].keyword != "schema"
                if is_found == verdict and "https://json-schema.org" not in json.dumps(schema):
                    unexplained.append(name)
    print(f"{count:,} verdicts")
    assert count > 1_500
    assert not differing
    assert not unexplained


EXTRA_KEYS = ("[typeddict-unknown-key]", "Extra key", "is an undefined item in")
"""What checkers say of further keys of an open object, which no TypedDict can have (PEP 728)."""


CHECKERS = {
    "mypy": (
        sys.executable,
        "-m",
        "mypy",
        "--no-incremental",
        "--no-error-summary",
        "--hide-error-context",
    ),
    "pyright": (sys.executable, "-m", "pyright", "--pythonpath", sys.executable),
}


@pytest.mark.prove
@pytest.mark.parametrize("draft", ["draft7", "draft2020-12"])
def test_checkers_refuse_no_valid_instance(
    draft: str, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    made = tmp_path / "made"
    for name, groups in groups_of(suite / draft, FOLDERS[draft]):
        package = re.sub(r"\W", "_", f"{draft}_types_{name}")
        schemas: dict[str, JsonValue] = {f"s{at}": each["schema"] for at, each in enumerate(groups)}
        compiled = compile_schemas(schemas, tmp_path / package, monkeypatch, "annotate")
        if len(compiled.refused) == len(groups):
            continue
        shutil.copytree(tmp_path / package / package, made / package)
        types = f"{package}_types"
        lines.append(f"import {package}.suite.types as {types}")
        lines += [
            f"v{len(lines)}_{at}_{number}: {types}.OutS{at}Output = {test['data']!r}"
            for at, group in enumerate(groups)
            if f"s{at}" not in compiled.refused
            for number, test in enumerate(group["tests"])
            if test["valid"] and not has_whole_float(test["data"])
        ]
    (made / "instances.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for command in CHECKERS.values():
        done = subprocess.run(
            [*command, "instances.py"], cwd=made, capture_output=True, text=True, check=False
        )
        # An error with its continuation lines, which are indented.
        errors = [
            each for each in re.split(r"\n(?=\s*\S*\.py:)", done.stdout) if "instances.py:" in each
        ]
        told = [each for each in errors if not any(words in each for words in EXTRA_KEYS)]
        assert "\n".join(told) == "", command
    assert len(lines) > 500


def has_whole_float(value: JsonValue) -> bool:
    """Return whether a float stands for an integer, whose type is `int` (decision 0013)."""
    if isinstance(value, dict):
        return any(map(has_whole_float, value.values()))
    if isinstance(value, list):
        return any(map(has_whole_float, value))
    return isinstance(value, float) and value.is_integer()
