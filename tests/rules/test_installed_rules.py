"""Rules of another distribution: they run where they are named, and a broken one is said to be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import forkserver
import pytest
from sampling import sampled

TOOLSPEC = forkserver.toolspec()
SPEC = """\
toolspec: 1
service: {name: shop, description: Orders of a shop.}
tools:
  - name: list_orders
    description: List the orders of the signed-in user, newest first.
    outputSchema: {type: string}
    mutation: false
"""
NO_ORDERS = '''\
"""A tool is about orders."""

from toolspec.rules.api import Severity, ToolVisit, declare

KIND = declare(__name__, Severity.WARNING, "`{name}` is about {word}", "rename it")
VISITS = ToolVisit
OPTIONS = {"word": {"type": "string", "description": "What no tool is about", "default": "orders"}}


def check(visit, options):
    if options["word"] in visit.tool.name:
        span = visit.tool.location.at("name").value_span
        yield KIND.at(span, name=visit.tool.name, word=options["word"])
'''
MANUAL = """\
Orders are the business of another department.

## Reported

```yaml
name: list_orders
```

## Accepted

```yaml
name: list_bills
```
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "shop.yaml").write_text(SPEC, "utf-8")
    return tmp_path


def distribution(project: Path, name: str = "acme", modules: dict[str, str] | None = None) -> None:
    """Install a distribution for a project: a package of rules, and the metadata that pip writes."""
    site = project / "site"
    metadata = site / f"{name}_rules-1.0.dist-info"
    package = site / f"{name}_rules" / "acme"
    for folder in (metadata, package):
        folder.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-rules\nVersion: 1.0\n")
    points = f"[toolspec.rules]\nacme = {name}_rules.acme\n"
    (metadata / "entry_points.txt").write_text(points, "utf-8")
    (package / "__init__.py").write_text("")
    for module, text in (modules or {"no_orders": NO_ORDERS}).items():
        (package / f"{module}.py").write_text(text, "utf-8")
        (package / f"{module}.md").write_text(MANUAL, "utf-8")


def configure(project: Path, lint: str) -> None:
    (project / "toolspec.toml").write_text(dedent(lint), "utf-8")


def toolspec(project: Path, *arguments: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(project / "site"), "COLUMNS": "100"}
    command = [TOOLSPEC, *arguments]
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 1, 2}, done.stderr
    return done.returncode, done.stdout + done.stderr


def test_they_are_off_until_a_project_names_them(project: Path) -> None:
    distribution(project)
    status, text = toolspec(project, "check")
    assert status == 0
    assert "acme" not in text
    assert "acme" not in toolspec(project, "rules")[1]


@pytest.mark.parametrize(
    ("lint", "told"),
    [
        ('[lint]\nselect = ["acme"]', "warning[acme/no-orders] `list_orders` is about orders"),
        ('[lint]\nselect = ["acme/no-orders"]', "warning[acme/no-orders]"),
        ('[lint.severity]\n"acme/no-orders" = "error"', "error[acme/no-orders]"),
        (
            '[lint]\nselect = ["acme"]\n[lint.options."acme/no-orders"]\nword = "list"',
            "`list_orders` is about list",
        ),
        ('[[lint.override]]\npaths = ["specs/**"]\nselect = ["acme"]', "warning[acme/no-orders]"),
        ('[[lint.override]]\npaths = ["other/**"]\nselect = ["acme"]', ""),
        ('[lint]\nignore = ["acme"]', ""),
        ('[lint]\nselect = ["acme"]\n[lint.severity]\n"acme/no-orders" = "off"', ""),
    ],
)
def test_a_configuration_speaks_of_them_as_of_ours(project: Path, lint: str, told: str) -> None:
    distribution(project)
    configure(project, lint)
    status, text = toolspec(project, "check")
    assert told in text
    assert "config/" not in text
    assert bool(told) == ("acme/no-orders" in text)
    assert status == ("error[" in text)


def test_what_they_find_can_be_allowed(project: Path) -> None:
    distribution(project)
    allowed = '[[lint.allow]]\nrule = "acme/no-orders"\ntool = "shop_*"\nreason = "they are ours"'
    configure(project, f'[lint]\nselect = ["acme"]\n{allowed}')
    assert "acme" not in toolspec(project, "check")[1]
    comment = "  # toolspec: allow acme/no-orders -- they are ours\n  - name:"
    (project / "specs" / "shop.yaml").write_text(SPEC.replace("  - name:", comment), "utf-8")
    configure(project, '[lint]\nselect = ["acme"]')
    assert "acme" not in toolspec(project, "check")[1]


def test_a_compile_finds_what_a_check_finds_again_and_again(project: Path) -> None:
    distribution(project)
    configure(project, '[lint]\nselect = ["acme"]')
    first, second = (toolspec(project, "compile") for _ in range(2))
    assert first[0] == second[0] == 0
    assert "warning[acme/no-orders]" in first[1]
    assert "warning[acme/no-orders]" in second[1]
    rule = project / "site" / "acme_rules" / "acme" / "no_orders.py"
    rule.write_text(NO_ORDERS.replace("is about", "speaks about"), "utf-8")
    assert "speaks about orders" in toolspec(project, "compile")[1]


def test_they_are_listed_and_explained(project: Path) -> None:
    distribution(project)
    _, text = toolspec(project, "rules", "acme")
    assert "acme/no-orders  off  in no preset" in text
    assert "A tool is about orders." in text
    configure(project, '[lint]\nselect = ["acme"]')
    _, text = toolspec(project, "rules")
    assert "select acme" in text
    _, text = toolspec(project, "explain", "acme/no-orders")
    assert "Orders are the business of another department." in text
    assert 'word = "orders"  What no tool is about' in text


def test_a_misspelt_one_is_told_with_the_nearest(project: Path) -> None:
    distribution(project)
    configure(project, '[lint]\nselect = ["acme/no-order"]\nignore = ["acne"]')
    status, text = toolspec(project, "check")
    assert status == 2
    assert "unknown rule `acme/no-order`" in text
    assert "did you mean `acme/no-orders`?" in text
    assert "did you mean `acme`?" in text


BROKEN = {
    "raises": ({"no_orders": "1 / 0"}, "ZeroDivisionError: division by zero"),
    "imports what is not there": ({"no_orders": "import nowhere"}, "No module named 'nowhere'"),
    "no rule": ({"no_orders": NO_ORDERS, "words": ""}, "acme_rules.acme.words is no rule"),
    "a code of another family": (
        {"no_orders": NO_ORDERS.replace("__name__", "'docs.no_orders'")},
        "is no rule `acme/no-orders`",
    ),
}


@pytest.mark.parametrize("modules,reason", BROKEN.values(), ids=BROKEN)  # noqa: PT006 - of pairs
def test_a_broken_package_is_said_to_be(
    project: Path, modules: dict[str, str], reason: str
) -> None:
    distribution(project, modules=modules)
    configure(project, '[lint]\nselect = ["acme"]')
    status, text = toolspec(project, "check")
    assert status == 2
    assert "error[config/broken-rules]" in text
    assert "toolspec.toml:2:11" in text
    assert reason in text
    assert "Traceback" not in text
    for verb in ("rules", "explain"):
        status, text = toolspec(project, verb, "acme/no-orders")
        assert status == 2
        assert reason in text


RAISING = NO_ORDERS.replace('if options["word"] in', 'if 1 / 0 and options["word"] in')
FAILING = {
    "at once": (RAISING, "ZeroDivisionError: division by zero"),
    "with a wrong parameter": (NO_ORDERS.replace("name=visit", "title=visit"), "TypeError: "),
    "after a text": (
        NO_ORDERS.replace("yield KIND.at(span", "yield 'no diagnostic'\n        KIND.at(span"),
        "TypeError: it yielded str, not Diagnostic",
    ),
    "in a part": (
        NO_ORDERS.replace("declare\n", "declare, together\n").replace(
            """yield KIND.at(span, name=visit.tool.name, word=options["word"])""",
            """yield together([1, 0], lambda them: KIND.at(span, name=1 / them[0], word="one"))""",
        ),
        "ZeroDivisionError: division by zero",
    ),
}


@pytest.mark.parametrize("rule,reason", FAILING.values(), ids=FAILING)  # noqa: PT006 - of pairs
@pytest.mark.parametrize("verb", ["check", "compile"])
def test_a_rule_that_raises_is_reported_and_the_others_go_on(
    project: Path, rule: str, reason: str, verb: str
) -> None:
    two = SPEC + SPEC.partition("tools:\n")[2].replace("list_orders", "orders_list")
    (project / "specs" / "shop.yaml").write_text(two, "utf-8")
    words = NO_ORDERS.replace("is about {word}", "has {word}")
    distribution(project, modules={"no_orders": rule, "words": words})
    configure(project, '[lint]\nselect = ["acme"]')
    status, text = toolspec(project, verb)
    assert status == 1, text
    line = f"error[rule/failed] the rule `acme/no-orders` of acme-rules 1.0 failed: {reason}"
    assert text.count(line) == 1
    assert "specs/shop.yaml:4:11" in text.partition(line)[2].partition("\n\n")[0]
    assert text.count("warning[acme/words]") == 2
    assert not (project / "generated").exists()


LOCATIONS = {
    "Service": "specs/shop.yaml:2:17",
    "DocumentVisit": "specs/shop.yaml:1:1",
    "SchemaVisit": "specs/shop.yaml:4:5",
    "ProjectFacts": "",
}


@pytest.mark.parametrize("visits,location", LOCATIONS.items())  # noqa: PT006 - of pairs
def test_a_rule_that_raises_is_reported_at_what_it_visits(
    project: Path, visits: str, location: str
) -> None:
    rule = RAISING.replace("ToolVisit", visits)
    distribution(project, modules={"no_orders": rule})
    configure(project, '[lint]\nselect = ["acme"]')
    status, text = toolspec(project, "check", "--format", "short")
    assert status == 1
    (line,) = [each for each in text.splitlines() if "rule/failed" in each]
    assert line.startswith(location or "error[rule/failed]")


def test_a_package_without_rules_is_broken(project: Path) -> None:
    distribution(project, modules={"no_orders": NO_ORDERS})
    (project / "site" / "acme_rules" / "acme" / "no_orders.py").unlink()
    configure(project, '[lint]\nselect = ["acme"]')
    assert "it has no modules" in toolspec(project, "check")[1]


def test_a_rule_without_a_manual_is_broken(project: Path) -> None:
    distribution(project)
    (project / "site" / "acme_rules" / "acme" / "no_orders.md").unlink()
    configure(project, '[lint]\nselect = ["acme"]')
    status, text = toolspec(project, "check")
    assert status == 2
    assert "acme_rules.acme.no_orders has no manual `no_orders.md`" in text


def test_two_distributions_cannot_share_a_family(project: Path) -> None:
    distribution(project)
    distribution(project, "other")
    configure(project, '[lint]\nselect = ["acme"]')
    assert "`acme_rules.acme` and `other_rules.acme`" in toolspec(project, "check")[1]


@pytest.mark.parametrize(
    "lint",
    sampled(
        [
            '[lint]\nselect = ["docs"]\nignore = ["schema/any-output"]',
            '[lint]\npreset = "strict-2026-11"\n[lint.severity]\n"naming/mixed-style" = "error"',
            '[lint.options."docs/long-description"]\nlimit = 2000',
            '[lint]\nignore = ["schema/unsatisfiable", "shape/unknown-key"]',
        ],
        1,
    ),
)
def test_the_environment_is_not_asked_for_what_is_built_in(project: Path, lint: str) -> None:
    configure(project, lint)
    code = (
        "import importlib.metadata\nimportlib.metadata.entry_points = None\n"
        "from pathlib import Path\nfrom toolspec import Request, check\n"
        f"check(Request(folder=Path({str(project)!r})))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
