"""Every mistake in `[lint]` is told at its place, all at once, and what is right makes the plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.diagnostics import Checked, Severity
from toolspec.driver.config import Project, find_project
from toolspec.rules import presets

RULE = "docs/long-description"
EVERYWHERE = '[[lint.override]]\npaths = ["**"]\nignore = ["docs"]\n'


def project(folder: Path, text: str) -> Checked[Project]:
    (folder / "toolspec.toml").write_text(text)
    return find_project(folder)


def told(folder: Path, text: str) -> list[tuple[str, str, int]]:
    found = project(folder, text).diagnostics
    return [
        (d.code, d.span.text if d.span else "", d.span.first.line if d.span else 0) for d in found
    ]


def severity(folder: Path, text: str, code: str, path: str = "specs/a.yaml") -> str:
    checked = project(folder, text)
    assert checked.ok, checked.diagnostics
    setting = checked.value.config.lint.plan.at(path)[code]
    return f"{setting.severity or 'off'}, {setting.set_by}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'ignore = ["docs/long-descriptoin"]',
            ("config/unknown-rule", '"docs/long-descriptoin"', 2),
        ),
        ('select = ["dosc"]', ("config/unknown-rule", '"dosc"', 2)),
        ('severity = {"docs/x" = "error"}', ("config/unknown-rule", '"docs/x"', 2)),
        ('severity = {docs = "warn"}', ("config/unknown-severity", '"warn"', 2)),
        ("severity = {docs = 1}", ("config/unknown-severity", "1", 2)),
        ('preset = "recomended-2026-11"', ("config/unknown-preset", '"recomended-2026-11"', 2)),
        ("preset = 1", ("config/wrong-type", "preset", 2)),
        ("\nslect = []", ("config/unknown-key", "slect", 3)),
        (
            'ignore = ["schema/unsatisfiable"]',
            ("config/not-suppressible", '"schema/unsatisfiable"', 2),
        ),
        ('ignore = ["shape"]', ("config/not-suppressible", '"shape"', 2)),
        ('select = ["docs"]\nignore = ["docs/*"]', ("config/lint-conflict", "ignore", 3)),
        ('options."docs/long-summary".limt = 1', ("config/rule-option", "limt", 2)),
        ('options."docs/long-summary".limit = "a"', ("config/rule-option", '"a"', 2)),
        ('options."docs/long-summary".limit = 2026-01-01', ("config/rule-option", "2026-01-01", 2)),
        ("options.docs.limit = 1", ("config/unknown-rule", "docs", 2)),
        ('options."docs/restated-name".limit = 1', ("config/rule-option", "limit", 2)),
        ("override = [{}]", ("config/wrong-type", "{}", 2)),
        ('override = [{paths = ["a"], ignore = ["x/y"]}]', ("config/unknown-rule", '"x/y"', 2)),
        ("override = 1", ("config/wrong-type", "override", 2)),
        (
            "[[lint.allow]]\nrule = 'docs/x'\nreason = 'a good reason'",
            ("config/unknown-rule", "'docs/x'", 3),
        ),
        ("[[lint.allow]]\nreason = 'a good reason'", ("config/bad-suppression", "allow", 2)),
        (f"[[lint.allow]]\nrule = '{RULE}'", ("config/bad-suppression", "allow", 2)),
        (
            f"[[lint.allow]]\nrule = '{RULE}'\nreason = ' short '",
            ("config/bad-suppression", "' short '", 4),
        ),
        (
            f"[[lint.allow]]\nrule = '{RULE}'\nreason = 'a good reason'\nuntil = '31.1.2027'",
            ("config/bad-suppression", "'31.1.2027'", 5),
        ),
        (
            "[[lint.allow]]\nrule = 'security/secret-value'\nreason = 'a good reason'",
            ("config/bad-suppression", "'security/secret-value'", 3),
        ),
        (
            f"[[lint.allow]]\nrule = '{RULE}'\nreason = 'a good reason'\ntols = 'a'",
            ("config/unknown-key", "tols", 5),
        ),
        (
            "[[lint.allow]]\nrule = 'bind/unknown-scope'\nreason = 'a good reason'",
            ("config/not-suppressible", "'bind/unknown-scope'", 3),
        ),
        ('preset = "strict"', ("meta/floating-preset", '"strict"', 2)),
    ],
)
def test_a_mistake_is_told_at_its_place(
    tmp_path: Path, text: str, expected: tuple[str, str, int]
) -> None:
    assert told(tmp_path, f"[lint]\n{text}\n") == [expected]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = (
        '[lint]\npreset = "x"\nselect = ["y"]\nseverity = {z = "on"}\n[[lint.allow]]\nrule = "q"\n'
    )
    codes = [code for code, _, _ in told(tmp_path, text)]
    assert len(codes) == 6
    assert not project(tmp_path, text).ok


def test_it_is_the_same_in_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.other]\nlint = 1\n[tool.toolspec.lint]\nignore = ["dosc"]\n'
    )
    (found,) = find_project(tmp_path).diagnostics
    assert found.span
    assert (found.span.first.line, found.span.text) == (4, '"dosc"')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", f"note, preset {presets.DEFAULT}"),
        ('preset = "core-2026-11"', "off, preset core-2026-11"),
        ('preset = "core-2026-11"\nselect = ["docs/*"]', "note, select docs"),
        ('ignore = ["docs"]', "off, ignore docs"),
        ('ignore = ["docs"]\nselect = ["docs/long-description"]', f"note, select {RULE}"),
        ('select = ["docs"]\nignore = ["docs/long-description"]', f"off, ignore {RULE}"),
        ('severity = {docs = "error"}', "error, severity docs"),
        ('severity = {docs = "off"}', "off, severity docs"),
        ('preset = "core-2026-11"\nseverity = {docs = "error"}', "off, preset core-2026-11"),
        (f'preset = "core-2026-11"\nseverity = {{"{RULE}" = "error"}}', f"error, severity {RULE}"),
        (f'ignore = ["{RULE}"]\nseverity = {{docs = "error"}}', f"off, ignore {RULE}"),
        (
            '[[lint.override]]\npaths = ["specs"]\nignore = ["docs"]',
            "off, override specs: ignore docs",
        ),
        (
            '[[lint.override]]\npaths = ["specs/*.yml"]\nignore = ["docs"]',
            f"note, preset {presets.DEFAULT}",
        ),
        (
            EVERYWHERE
            + f'[[lint.override]]\npaths = ["*/a.yaml"]\nseverity = {{"{RULE}" = "error"}}',
            f"error, override */a.yaml: severity {RULE}",
        ),
    ],
)
def test_what_holds_for_a_rule(tmp_path: Path, text: str, expected: str) -> None:
    assert severity(tmp_path, f"[lint]\n{text}\n", RULE) == expected


def test_a_warning_that_is_no_rule_can_be_weighed(tmp_path: Path) -> None:
    text = '[lint.severity]\n"naming/long-name" = "off"\n'
    assert severity(tmp_path, text, "naming/long-name") == "off, severity naming/long-name"
    text = '[[lint.override]]\npaths = ["other"]\nignore = ["naming"]\n'
    assert severity(tmp_path, text, "naming/long-name") == "warning, always on"
    assert severity(tmp_path, text, "naming/long-name", "other/a.yaml").startswith("off")


def test_options_of_a_rule_reach_it(tmp_path: Path) -> None:
    text = '[lint.options."docs/long-summary"]\nlimit = 7\n'
    plan = project(tmp_path, text).value.config.lint.plan
    assert plan.options("docs/long-summary") == {"limit": 7}
    assert plan.options("docs/restated-name") == {}


def test_what_is_off_everywhere_does_not_run(tmp_path: Path) -> None:
    text = '[lint]\npreset = "core-2026-11"\n[[lint.override]]\npaths = ["a"]\nselect = ["docs"]\n'
    plan = project(tmp_path, text).value.config.lint.plan
    assert plan.runs(RULE)
    assert not plan.runs("naming/mixed-style")
    assert plan.at("a/b.yaml")[RULE].severity is Severity.NOTE
