"""Several reports of one run: what goes where, and what is refused before anything is done."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from forkserver import toolspec
from sampling import sampled
from small_spec import SPEC

TOOLSPEC = toolspec()
BAD = SPEC.replace("mutation", "muation")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    (tmp_path / "specs" / "other.yaml").write_text(BAD.replace("demo", "other"))
    return tmp_path


def run(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLSPEC, *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name != ".toolspec-cache")


def formats(*words: str) -> list[str]:
    return [part for word in words for part in ("--format", word)]


@pytest.mark.parametrize("verb", [["check"], ["compile"], ["compile", "--check"]])
def test_each_report_goes_where_it_is_wanted(project: Path, verb: list[str]) -> None:
    wanted = formats("sarif=out.sarif", "github", "junit=out.xml", "json=out.json", "text=out.txt")
    done = run(*verb, *wanted, folder=project)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=specs/other.yaml")
    (sarif,) = json.loads((project / "out.sarif").read_text())["runs"]
    findings = json.loads((project / "out.json").read_text())["diagnostics"]
    assert [each["ruleId"] for each in sarif["results"]] == [each["code"] for each in findings]
    suites = ET.parse(project / "out.xml").getroot()  # noqa: S314 - our own
    assert [each.attrib["name"] for each in suites] == ["specs/demo.yaml", "specs/other.yaml"]
    assert suites[0].attrib["failures"] == "0"
    assert "error[shape/unknown-key]" in (project / "out.txt").read_text()
    assert names(project) == ["out.json", "out.sarif", "out.txt", "out.xml", "specs"]


def test_without_one_for_the_terminal_a_person_is_told(project: Path) -> None:
    done = run("check", *formats("sarif=out.sarif"), folder=project)
    assert "\nerror[shape/unknown-key]" in f"\n{done.stdout}"


def test_a_clean_compile_that_has_nothing_to_do_writes_its_reports_all_the_same(
    project: Path,
) -> None:
    (project / "specs" / "other.yaml").unlink()
    for _ in range(3):
        assert run("compile", *formats("junit=out.xml"), folder=project).returncode == 0
        suites = ET.parse(project / "out.xml").getroot()  # noqa: S314 - our own
        assert suites.attrib["tests"] == "1"
        (project / "out.xml").unlink()


def test_a_drift_leaves_a_document_for_machines_alone(project: Path) -> None:
    (project / "specs" / "other.yaml").unlink()
    done = run("compile", "--check", *formats("sarif"), folder=project)
    assert done.returncode == 1
    assert json.loads(done.stdout)["runs"][0]["results"] == []
    assert "out of date" in done.stderr


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
@pytest.mark.parametrize("verb", sampled(["check", "fmt", "compile", "handlers"], 2))
def test_a_diff_leaves_a_document_for_machines_alone(project: Path, verb: str, form: str) -> None:
    (project / "specs" / "other.yaml").unlink()
    if verb == "check":
        spec = SPEC.replace("mutation", "muation")
    else:
        spec = SPEC.replace("  name: demo", "  name:   demo")
    (project / "specs" / "demo.yaml").write_text(spec)
    (project / "toolspec.toml").write_text('handlers = {demo = "app.py"}\n')
    (project / "app.py").write_text(
        "from generated.demo import DemoHandlers\n\nclass Demo(DemoHandlers):\n    pass\n"
    )
    done = run(verb, "--diff", *formats(form, "short=out.txt"), folder=project)
    assert "\n+++ " in f"\n{done.stderr}", done
    assert (project / "out.txt").exists()
    if form == "junit":
        ET.fromstring(done.stdout)  # noqa: S314 - our own
    else:
        json.loads(done.stdout)
    printed = run(verb, "--diff", *formats("short=out.txt"), folder=project)
    assert printed.stdout.startswith("--- ")
    assert printed.stderr == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sarf"], "unknown format `sarf`; did you mean `sarif`?"),
        (["xyz=out"], "unknown format `xyz`; expected one of `text`, `short`, `json`"),
        ([""], "unknown format ``"),
        (["text", "json"], "`text` and `json` are both for the standard output"),
        (["json", "json"], "`json` and `json` are both for the standard output"),
        (["sarif="], "name a file after the `=`"),
        (["sarif=no/out"], "there is no folder `no`"),
        (["sarif=specs"], "it is a folder"),
        (["sarif=specs/demo.yaml/x"], "there is no folder `specs/demo.yaml`"),
        (["sarif=a", "junit=./specs/../a"], "another report has this path"),
        (["json=link", "junit=out"], "another report has this path"),
    ],
)
@pytest.mark.parametrize("verb", ["check", "compile"])
def test_what_cannot_be_told_is_refused_first(
    project: Path, verb: str, words: list[str], said: str
) -> None:
    (project / "link").symlink_to("out")
    done = run(verb, *formats(*words), folder=project)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("toolspec: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert names(project) == ["link", "specs"]


def test_a_path_may_hold_the_sign_that_leads_to_it(project: Path) -> None:
    run("check", *formats("json=a=b.json"), folder=project)
    assert (project / "a=b.json").exists()


def test_a_report_takes_the_place_of_the_one_before(project: Path) -> None:
    (project / "real.json").write_text("x" * 100_000)
    (project / "link.json").symlink_to("real.json")
    run("check", *formats("json=link.json"), folder=project)
    assert (project / "link.json").is_symlink()
    assert json.loads((project / "real.json").read_text())["counts"]["error"]
    usual = project / "usual"
    usual.touch()
    assert stat.S_IMODE((project / "real.json").stat().st_mode) == stat.S_IMODE(
        usual.stat().st_mode
    )


def test_a_device_or_a_pipe_is_written_to(project: Path) -> None:
    done = run("check", *formats("json=/dev/stdout", "short=/dev/null"), folder=project)
    assert json.JSONDecoder().raw_decode(done.stdout)[0]["version"] == 1
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(project: Path) -> None:
    (project / "mine").mkdir(mode=0o500)
    done = run("check", *formats("json=mine/out.json"), folder=project)
    assert done.returncode == 2
    assert "it is read-only" in done.stderr


def test_a_disk_that_is_full_is_told(project: Path) -> None:
    done = run("check", *formats("json=/dev/full"), folder=project)
    assert done.returncode == 2
    assert "error[output/report] the report `/dev/full` cannot be written" in done.stdout
    assert "error[shape/unknown-key]" in done.stdout


@pytest.mark.parametrize(
    ("workspace", "base"),
    [
        ("..", "my project/"),
        ("../..", "repository/my project/"),
        (".", ""),
        ("specs", "../"),
        ("", "../"),
    ],
)
@pytest.mark.parametrize("verb", ["check", "compile"])
def test_a_service_that_knows_the_repository_gets_paths_in_it(
    tmp_path: Path, verb: str, workspace: str, base: str
) -> None:
    project = tmp_path / "repository" / "my project"
    (project / "specs").mkdir(parents=True)
    (project / "specs" / "demo.yaml").write_text(BAD)
    (project / "inner").mkdir()
    (project / "toolspec.toml").touch()
    place = str((project / workspace).resolve()) if workspace else ""
    done = run(
        verb,
        *formats("github", "sarif=out.sarif", "short=out.txt"),
        folder=project / "inner",
        GITHUB_WORKSPACE=place,
    )
    assert done.stdout.startswith(f"::error file={base}specs/demo.yaml,")
    (sarif,) = json.loads((project / "inner" / "out.sarif").read_text())["runs"]
    (artifact,) = sarif["artifacts"]
    # What reads this finds the project in the repository, and nowhere else.
    uri = f"{base}specs/demo.yaml".removeprefix("../").replace(" ", "%20")
    assert artifact["location"]["uri"] == uri
    # Who reads this sits in the working folder.
    assert (project / "inner" / "out.txt").read_text().startswith("../specs/demo.yaml:")


@pytest.mark.parametrize(
    ("folder", "words", "path"),
    [
        ("a", ["../b/specs/x.yaml"], "../b/specs/x.yaml"),
        ("a", [], "specs/x.yaml"),
        ("a/specs", [], "x.yaml"),
        ("a/app/inner", [], "../../specs/x.yaml"),
        (".", ["b/specs/x.yaml"], "b/specs/x.yaml"),
    ],
)
@pytest.mark.parametrize("verb", sampled(["check", "compile", "fmt"], 1))
def test_printed_paths_lead_from_the_working_folder(
    tmp_path: Path, verb: str, folder: str, words: list[str], path: str
) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "specs").mkdir(parents=True)
        (tmp_path / name / "specs" / "x.yaml").write_text(BAD)
        (tmp_path / name / "toolspec.toml").touch()
    (tmp_path / "a" / "app" / "inner").mkdir(parents=True)
    wanted = formats("text", "json=out.json", "github=out.txt", "short=short.txt")
    here = tmp_path / folder
    done = run(verb, *words, *wanted, folder=here, GITHUB_WORKSPACE="")
    assert f"\n --> {path}:" in done.stdout
    assert f"::error file={path},line=" in (here / "out.txt").read_text()
    assert (here / "short.txt").read_text().startswith(f"{path}:")
    findings = json.loads((here / "out.json").read_text())["diagnostics"]
    names = {each["spans"][0]["file"] for each in findings}
    assert len(names) == 1
    assert names <= {"specs/x.yaml", "b/specs/x.yaml", "x.yaml"}, "as the project names it"


def test_an_edited_file_is_shown_where_it_is(tmp_path: Path) -> None:
    for name in ("specs", "inner"):
        (tmp_path / name).mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    (tmp_path / "toolspec.toml").touch()
    assert run("compile", folder=tmp_path).returncode == 0
    (tmp_path / "generated" / "demo" / "types.py").write_text("mine\n")
    done = run("compile", "--format", "short", folder=tmp_path / "inner")
    path = "../generated/demo/types.py"
    assert done.stdout.startswith(
        f"{path}:1:1: error[output/edited-file] the generated file `{path}`"
    )


@pytest.mark.parametrize("workspace", ["..", "."])
def test_the_summary_of_a_step_has_the_paths_of_the_annotations(
    project: Path, workspace: str
) -> None:
    summary = project / "summary.md"
    done = run(
        *("check", *formats("github")),
        folder=project,
        GITHUB_WORKSPACE=str((project / workspace).resolve()),
        GITHUB_STEP_SUMMARY=str(summary),
    )
    path = "specs/other.yaml" if workspace == "." else f"{project.name}/specs/other.yaml"
    assert done.stdout.startswith(f"::error file={path},line=")
    assert f" | `{path}:" in summary.read_text()
