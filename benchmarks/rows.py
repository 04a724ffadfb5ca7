"""The rows of the table, one function for each number of the goals."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from peers import PEERS, version
from process import Command, FailedError, Usage, alternate, environment, ratio, run, typical
from row import MILLI, SECOND, Row
from toolspec.rules.engine import codes
from toolspec.rules.presets import NAMES
from watching import SECONDS, edits, idle, make_project
from workshop import HERE, PYTHON, TOOLSPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from workshop import Workshop

# Measurements in process against something a hundred times slower use fewer tools.
FEW = 100
WATCHED = 2000
_COMPILERS = {"naive": 6, "datamodel-codegen": 15, "openapi-python-client": 8, "tsp": 4.5}
_LINTERS = {"spectral": 9, "redocly lint": 1.5, "buf lint": 2.5, "check-jsonschema": 18, "ajv": 8}


def _against_all(
    bench: Workshop,
    number: str,
    what: str,
    goals: Mapping[str, float],
    *arguments: str,
    real: bool = False,
) -> Iterator[Row]:
    """Yield how many times less CPU a command of ours takes than each of some other programs."""
    corpus = bench.real if real else bench.corpus(bench.tools)
    makers = {"ours": bench.cold_real(*arguments) if real else bench.cold(*arguments)}
    for name in goals:
        if name == "naive":
            makers[name] = bench.script("naive.py", str(corpus / "yaml" / "specs"), "OUT")
        elif maker := bench.peer(PEERS[name], corpus):
            makers[name] = maker
    failed: dict[str, str] = {}
    for name in [each for each in makers if each in PEERS]:
        try:
            run(makers[name]())
        except FailedError as error:
            del makers[name]
            failed[name] = f"ends with {error.status}"
    usages = dict(zip(makers, alternate(list(makers.values()), bench.rounds), strict=True))
    ours = usages["ours"]
    for name, goal in goals.items():
        peer = f"{name} {version(PEERS[name])}" if name in PEERS else "`naive.py`"
        row = partial(Row, number, what, f"≥ {goal}×", peer)
        if name not in usages:
            yield row(note=failed.get(name, "not installed: `make bench-peers` says why"))
            continue
        shown = [f"{typical(each).cpu:.2f} {SECOND}" for each in (ours, usages[name])]
        yield row(ratio(usages[name], ours), "×", *shown)


def cold_compile(bench: Workshop) -> Iterator[Row]:
    """P1: a whole compile from nothing."""
    what = f"cold compile, {bench.tools:,} tools"
    yield from _against_all(bench, "P1", what, _COMPILERS, "compile")


def cold_compile_of_dumps(bench: Workshop) -> Iterator[Row]:
    """P1r: a whole compile of the imported tools of real servers."""
    tools = bench.real_tools()
    what = f"cold compile, {tools:,} tools of real servers"
    used = typical(alternate([bench.cold_real("compile")], bench.rounds)[0]).cpu
    yield Row("P1r", f"{what}, per 1,000", "≤ 0.9 s", "–", 1000 * used / tools, f" {SECOND}")
    # Its documents are as their authors wrote them, which `naive.py` does not read.
    goals = {name: goal for name, goal in _COMPILERS.items() if name != "naive"}
    yield from _against_all(bench, "P1r", what, goals, "compile", real=True)


def scale(bench: Workshop) -> Iterator[Row]:
    """P2, P11: growth of CPU with the number of tools, of a compile and of each stage."""
    sizes = (bench.tools, bench.tools * 10)
    middle, large = (
        typical(alternate([bench.cold("compile", "--jobs", "1", tools=size)], rounds)[0])
        for size, rounds in zip(sizes, (bench.rounds, 1), strict=True)
    )
    row = partial(Row, "P2, P11", against="itself", unit="")
    grown = f"{sizes[0]:,} to {sizes[1]:,} tools"
    yield row(
        f"growth of CPU, {grown}: exponent",
        "≤ 1.02",
        figure=math.log10(large.cpu / middle.cpu),
        ours=f"{large.cpu:.1f} {SECOND}",
        theirs=f"{middle.cpu:.2f} {SECOND}",
    )
    # The worst of twelve is nearly always one that something else disturbed, if each is timed once.
    once, tenfold = (_stages(bench, size) for size in sizes)
    # A stage that takes no time at the smaller size has no meaningful exponent.
    exponents = {each: math.log10(tenfold[each] / once[each]) for each in once if once[each] > 0.01}
    worst = max(exponents, key=exponents.__getitem__)
    yield row(f"its worst stage (`{worst}`): exponent", "≤ 1.05", figure=exponents[worst])


def memory(bench: Workshop) -> Iterator[Row]:
    """P10: peak memory of a small project, and its growth with one process and with several."""
    project = bench.fresh()
    make_project(project, 3)
    small = run(Command((TOOLSPEC, "compile"), project)).mebibytes
    yield Row("P10", "peak memory, 3 tools", "≤ 45 MiB", "–", small, " MiB")
    size = bench.tools * 10
    for jobs in ("1", "2"):
        peak = run(bench.cold("compile", "--jobs", jobs, tools=size)()).mebibytes
        what = f"its growth for each of {size:,} tools, `--jobs {jobs}`, largest process"
        growth = 1024 * (peak - small) / size
        yield Row(
            "P10", what, "≤ 3 KiB", "–", growth, " KiB", f"{peak:.0f} MiB", f"{small:.0f} MiB"
        )


def floor(bench: Workshop) -> Iterator[Row]:
    """P3: how far from reading, parsing in C and writing alone."""
    for form, goal in (("yaml", 10), ("json", 10)):
        project = bench.project(bench.tools, form)
        run(Command((TOOLSPEC, "compile"), project, accepted=(0, 1)))
        ours = typical(alternate([bench.cold("compile", form=form)], bench.rounds)[0]).cpu
        parts = [str(HERE / "floor.py"), str(project / "specs"), str(project / "generated")]
        least = min(float(_printed([*parts, str(bench.fresh())])) for _ in range(bench.rounds))
        yield Row(
            "P3", f"cold compile, {form.upper()}", f"≤ {goal}×", "`floor.py`", ours / least, "×",
            f"{ours:.2f} {SECOND}", f"{least:.2f} {SECOND}",
        )  # fmt: skip


def check(bench: Workshop) -> Iterator[Row]:
    """P4: all rules over all tools."""
    what = f"`check`, all rules, {bench.tools:,} tools"
    yield from _against_all(bench, "P4", what, _LINTERS, "check")


def check_dumps(bench: Workshop) -> Iterator[Row]:
    """P4r: all rules over the imported tools of real servers."""
    what = f"`check`, all rules, {bench.real_tools():,} tools of real servers"
    yield from _against_all(bench, "P4r", what, _LINTERS, "check", real=True)


def rules(bench: Workshop) -> Iterator[Row]:
    """P4: what the rules cost, beside the same check without them."""
    families = sorted({code.partition("/")[0] for code in codes()})
    tables = {"no rule": f"ignore = {json.dumps(families)}"}
    tables |= {name: f'preset = "{name}"' for name in NAMES if not name.startswith("core")}

    def maker(table: str) -> Callable[[], Command]:
        def make() -> Command:
            project = bench.project(bench.tools)
            (project / "toolspec.toml").write_text(f"[lint]\n{table}\n", encoding="utf-8")
            return Command((TOOLSPEC, "check"), project, accepted=(0, 1))

        return make

    makers = [maker(table) for table in tables.values()]
    usages = dict(zip(tables, alternate(makers, max(bench.rounds, 5)), strict=True))
    without = usages.pop("no rule")
    for name, own in usages.items():
        shown = [f"{typical(each).cpu:.2f} {SECOND}" for each in (own, without)]
        against = "`check` without rules"
        yield Row("P4", f"`check`, {name}", "≤ 1.5×", against, ratio(own, without), "×", *shown)


def validation(bench: Workshop) -> Iterator[Row]:
    """P5: validation in process."""
    times = _inside(bench, "validation", FEW)
    what = f"validation alone, {FEW} tools"
    yield _in_process("P5", what, "≥ 40×", "jsonschema", times)


def reading(bench: Workshop) -> Iterator[Row]:
    """P6: YAML with positions."""
    times = _inside(bench, "reading", FEW)
    what = "YAML with every position"
    yield _in_process("P6", what, "≥ 3×", "CSafeLoader", times)
    single = {"ours": times["one"], "ruamel": times["ruamel"]}
    yield _in_process("P6", f"{what}, one document", "≥ 35×", "ruamel", single)


def nothing_changed(bench: Workshop) -> Iterator[Row]:
    """P7: a second compile of the same sources."""
    for size, goal in ((bench.tools, 1.25), (bench.tools * 10, 2.7)):
        project = bench.project(size)
        again = Command((TOOLSPEC, "compile"), project, accepted=(0, 1))
        run(again)
        written = _changed_since(project, {})
        repeated = partial(Command, again.arguments, project, (0, 1))
        makers: list[Callable[[], Command]] = [repeated, bench.python("pass")]
        usages = alternate(makers, 10)
        more = len(_changed_since(project, written))
        note = f"writes {more} files" if more else "writes nothing"
        yield _start("P7", f"nothing changed, {size:,} tools", f"≤ {goal}×", usages, note)


def one_edited(bench: Workshop) -> Iterator[Row]:
    """P8, P8e: one source edited before each run, to another text and to an error; and while watched."""
    project = bench.project(bench.tools)
    again = Command((TOOLSPEC, "compile"), project, accepted=(0, 1))
    run(again)
    source = min((project / "specs").iterdir(), key=str)
    text = source.read_text(encoding="utf-8")
    source.unlink()  # a link to the corpus, whose file must not change
    source.write_text(text, encoding="utf-8")
    run(again)
    written = _changed_since(project / "generated", {})
    versions = (
        text.replace("version: 1.0.0", f"version: 2.0.{number}", 1) for number in itertools.count()
    )

    def edited(*, to_error: bool = False) -> Command:
        new = next(versions)
        source.write_text(new.replace("mutation:", "muation:", 1) if to_error else new, "utf-8")
        return again

    usages = alternate([edited, bench.python("pass")], 5)
    changed = _changed_since(project / "generated", written)
    note = f"{len(changed)} of {len(written)} files rewritten"
    yield _start("P8", "one file of 50 edited", "≤ 18×", usages, note)
    usages = alternate([partial(edited, to_error=True), bench.python("pass")], 5)
    yield _start("P8e", "one file of 50 edited into an error", "≤ 18×", usages)
    alone = partial(Command, (TOOLSPEC, "check", f"specs/{source.name}"), project, (1,))
    used = typical(alternate([alone], 5)[0]).cpu
    yield Row("P8e", "`check` of that file alone", "≤ 120 ms", "–", 1000 * used, f" {MILLI}")
    edited()
    run(again)
    used = median(edits(project, source, itertools.islice(versions, 5)))
    what = "one file of 50 edited, `compile --watch`"
    yield Row("P8", what, "≤ 100 ms", "–", 1000 * used, f" {MILLI}")


def start(bench: Workshop) -> Iterator[Row]:
    """P9: answers without work, and what options add to a small project."""
    for option in ("--version", "--help"):
        maker = partial(Command, (TOOLSPEC, option), bench.scratch)
        usages = alternate([maker, bench.python("pass")], 20)
        yield _start("P9", f"`{option}`", "≤ 1.15×", usages)
    project = bench.fresh()
    make_project(project, 3)
    for command, option in (
        ("compile", ("--jobs", "1")),
        ("check", ("--format", "json")),
        ("fmt", ("--check",)),
    ):
        sides = [
            partial(Command, (TOOLSPEC, command, *extra), project, (0, 1)) for extra in (option, ())
        ]
        with_option, without = (typical(each).cpu for each in alternate(sides, 10))
        shown = f"{1000 * with_option:.0f} {MILLI}", f"{1000 * without:.0f} {MILLI}"
        what = f"`{command} {' '.join(option)}`, 3 tools: more than without the option"
        more = 1000 * (with_option - without)
        yield Row("P9", what, "≤ 30 ms", f"`{command}`", more, f" {MILLI}", *shown)


def processes(bench: Workshop) -> Iterator[Row]:
    """P12: wall time with two processes."""
    for size, rounds in ((FEW, 5), (bench.tools, bench.rounds), (bench.tools * 10, 1)):
        makers = [bench.cold("compile", "--jobs", jobs, tools=size) for jobs in "12"]
        one, two = (typical(each) for each in alternate(makers, rounds))
        shown = f"{two.wall:.2f} s wall", f"{one.wall:.2f} s wall"
        what = f"two processes, {size:,} tools"
        yield Row(
            "P12", f"{what}, wall", "≤ 0.58×", "one process", two.wall / one.wall, "×", *shown
        )
        # By Amdahl's law, from the two wall times.
        serial = 100 * (2 * two.wall / one.wall - 1)
        yield Row("P12", f"{what}: serial share", "≤ 10 %", "one process", serial, " %")


def docs(bench: Workshop) -> Iterator[Row]:
    """P13: the documentation alone."""
    goals = {"redocly build-docs": 3.5}
    arguments = ("compile", "--target", "docs")
    yield from _against_all(bench, "P13", "docs alone", goals, *arguments)


def positions(bench: Workshop) -> Iterator[Row]:
    """P16: locations in JSON."""
    times = _inside(bench, "locations", FEW, "json")
    yield Row(
        "P16", "clean JSON with locations on demand", "≤ 2.3×", "`json.loads`",
        times["ours"] / times["json.loads"], "×",
        *(f"{1000 * times[each]:.1f} {MILLI}" for each in ("ours", "json.loads")),
    )  # fmt: skip
    first, many = 1000 * times["first location"], 1000 * times["1,000 locations"]
    yield Row("P16", "first location of a file", "≤ 1 ms", "–", first, " ms CPU")
    what = "1,000 locations over the first one"
    yield Row("P16", what, "≤ 10×", "one location", many / first, "×", f"{many:.1f} {MILLI}")


def watching(bench: Workshop) -> Iterator[Row]:
    """watch: `compile --watch` while nothing changes."""
    project = bench.fresh()
    make_project(project, WATCHED)
    used = idle(project)
    yield Row(
        "watch", f"`compile --watch`, nothing changes, {WATCHED:,} files", "≤ 0.5 %", "one core",
        100 * used / SECONDS, " %", f"{used:.3f} {SECOND}", f"{SECONDS} s wall",
    )  # fmt: skip


ROWS: dict[str, Callable[[Workshop], Iterator[Row]]] = {
    "P1": cold_compile,
    "P1r": cold_compile_of_dumps,
    "P2": scale,
    "P3": floor,
    "P4": check,
    "P4r": check_dumps,
    "P4-rules": rules,
    "P5": validation,
    "P6": reading,
    "P7": nothing_changed,
    "P8": one_edited,
    "P9": start,
    "P10": memory,
    "P12": processes,
    "P13": docs,
    "P16": positions,
    "watch": watching,
}


def _start(number: str, what: str, goal: str, usages: list[list[Usage]], note: str = "") -> Row:
    ours, theirs = usages
    shown = [f"{1000 * typical(each).cpu:.0f} {MILLI}" for each in (ours, theirs)]
    figure = ratio(ours, theirs)
    return Row(number, what, goal, "`python -c pass`", figure, "×", shown[0], shown[1], note)


def _in_process(number: str, what: str, goal: str, peer: str, times: dict[str, float]) -> Row:
    shown = (f"{1000 * times[each]:.0f} {MILLI}" for each in ("ours", peer))
    import importlib.metadata

    package = {"CSafeLoader": "PyYAML", "ruamel": "ruamel.yaml"}.get(peer, peer)
    against = f"{peer} {importlib.metadata.version(package)}"
    return Row(number, what, goal, against, times[peer] / times["ours"], "×", *shown)


def _inside(bench: Workshop, what: str, tools: int, form: str = "yaml") -> dict[str, float]:
    """Return the times that `inside.py` prints about a new project."""
    project = bench.project(tools, form)
    times: dict[str, float] = json.loads(_printed([str(HERE / "inside.py"), what, str(project)]))
    return times


def _stages(bench: Workshop, tools: int) -> dict[str, float]:
    """Return the median times of the stages of a compile."""
    runs = [_inside(bench, "stages", tools) for _ in range(3)]
    return {stage: median(run[stage] for run in runs) for stage in runs[0]}


def _printed(arguments: list[str], *, python: bool = True) -> str:
    command = [PYTHON, *arguments] if python else arguments
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return done.stdout


def _changed_since(folder: Path, before: dict[Path, int]) -> dict[Path, int]:
    """Return the files below a folder, with their times, that are new or newer than before."""
    found = {each: each.stat().st_mtime_ns for each in folder.rglob("*") if each.is_file()}
    return {path: at for path, at in found.items() if before.get(path) != at}
