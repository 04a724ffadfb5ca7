"""The rows of the table, one function for each number of the goals."""

from __future__ import annotations

import json
import math
import subprocess
from functools import partial
from typing import TYPE_CHECKING

from peers import PEERS, version
from process import Command, Usage, alternate, environment, ratio, run, typical
from row import MILLI, SECOND, Row
from toolspec.rules.engine import codes
from toolspec.rules.presets import names
from watching import SECONDS, idle, make_project
from workshop import HERE, PYTHON, TOOLSPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from workshop import Workshop

# What is measured in process against something a hundred times slower is measured on fewer tools.
FEW = 100
WATCHED = 2000


def _against_all(
    bench: Workshop, number: str, what: str, goals: Mapping[str, float], *arguments: str
) -> Iterator[Row]:
    """Yield how many times less CPU a command of ours takes than each of some other programs."""
    makers = {"ours": bench.cold(*arguments)}
    for name in goals:
        if name == "naive":
            specs = str(bench.corpus(bench.tools) / "yaml" / "specs")
            makers[name] = bench.script("naive.py", specs, "OUT")
        elif maker := bench.peer(PEERS[name].program, PEERS[name].arguments, PEERS[name].folder):
            makers[name] = maker
    usages = dict(zip(makers, alternate(list(makers.values()), bench.rounds), strict=True))
    ours = usages["ours"]
    for name, goal in goals.items():
        peer = f"{name} {version(PEERS[name])}" if name in PEERS else "`naive.py`"
        row = partial(Row, number, what, f"≥ {goal}×", peer)
        if name not in usages:
            yield row(note="not installed: `make bench-peers` says why")
            continue
        shown = [f"{typical(each).cpu:.2f} {SECOND}" for each in (ours, usages[name])]
        yield row(ratio(usages[name], ours), "×", *shown)


def cold_compile(bench: Workshop) -> Iterator[Row]:
    """P1: a whole compile from nothing."""
    goals = {"naive": 16, "datamodel-codegen": 40, "openapi-python-client": 30, "tsp": 16}
    yield from _against_all(bench, "P1", "cold compile", goals, "compile")


def scale(bench: Workshop) -> Iterator[Row]:
    """P2, P10, P11: ten times and a tenth of the tools."""
    sizes = (bench.tools // 10, bench.tools, bench.tools * 10)
    rounds = {sizes[0]: bench.rounds, sizes[1]: bench.rounds, sizes[2]: 1}
    usages = {
        size: typical(alternate([bench.cold("compile", tools=size)], rounds[size])[0])
        for size in sizes
    }
    small, middle, large = (usages[size] for size in sizes)
    name = "itself"
    yield Row(
        "P2", f"cold compile, {sizes[2]:,} tools", "≤ 8.5 s", name, large.cpu, " s CPU",
        f"{large.cpu:.1f} {SECOND}", f"{middle.cpu:.2f} {SECOND} for {sizes[1]:,}",
    )  # fmt: skip
    for size in sizes:
        yield Row(
            "P10", f"peak memory, {size:,} tools", "≤ 40 MiB", "–", usages[size].mebibytes, " MiB"
        )
    growth = 100 * (large.mebibytes / small.mebibytes - 1)
    yield Row("P10", f"its growth, {sizes[0]:,} to {sizes[2]:,}", "≤ 10 %", "–", growth, " %")
    exponent = math.log10(large.cpu / middle.cpu)
    yield Row(
        "P11",
        f"growth of CPU, {sizes[1]:,} to {sizes[2]:,}: exponent",
        "≤ 1.02",
        name,
        exponent,
        "",
    )
    once, tenfold = (_inside(bench, "stages", size) for size in sizes[1:])
    # What takes no time at the smaller size has no exponent worth a name.
    grown = {each: math.log10(tenfold[each] / once[each]) for each in once if once[each] > 0.01}
    worst = max(grown, key=grown.__getitem__)
    yield Row("P11", f"its worst stage ({worst}): exponent", "≤ 1.05", name, grown[worst], "")


def floor(bench: Workshop) -> Iterator[Row]:
    """P3: how far from reading, parsing in C and writing alone."""
    for form, goal in (("yaml", 5.5), ("json", 4.5)):
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
    goals = {"spectral": 14, "redocly lint": 3.5, "buf lint": 3, "check-jsonschema": 16, "ajv": 20}
    yield from _against_all(bench, "P4", "`check`, all rules", goals, "check")


def rules(bench: Workshop) -> Iterator[Row]:
    """P4: what the rules cost, beside the same check without them."""
    families = sorted({code.partition("/")[0] for code in codes()})
    tables = {"no rule": f"ignore = {json.dumps(families)}"}
    tables |= {name: f'preset = "{name}"' for name in names() if not name.startswith("core")}

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
    yield _in_process("P5", what, "≥ 80×", "jsonschema", times)


def reading(bench: Workshop) -> Iterator[Row]:
    """P6: YAML with positions."""
    times = _inside(bench, "reading", FEW)
    what = "YAML with every position"
    yield _in_process("P6", what, "≥ 3.5×", "CSafeLoader", times)
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
        rounds = 10 if size == bench.tools else 3
        usages = alternate(makers, rounds)
        more = len(_changed_since(project, written))
        note = f"writes {more} files" if more else "writes nothing"
        yield _start("P7", f"nothing changed, {size:,} tools", f"≤ {goal}×", usages, note)


def one_edited(bench: Workshop) -> Iterator[Row]:
    """P8: one source edited before each run."""
    project = bench.project(bench.tools)
    again = Command((TOOLSPEC, "compile"), project, accepted=(0, 1))
    run(again)
    source = min((project / "specs").iterdir(), key=str)
    text = source.read_text(encoding="utf-8")
    source.unlink()  # it is a link to the corpus, which stays as it is
    source.write_text(text, encoding="utf-8")
    run(again)
    written = _changed_since(project / "generated", {})
    edits = iter(range(1000))

    def edited() -> Command:
        version = f"version: 2.0.{next(edits)}"
        source.write_text(text.replace("version: 1.0.0", version, 1), encoding="utf-8")
        return again

    usages = alternate([edited, bench.python("pass")], 5)
    changed = _changed_since(project / "generated", written)
    total = len(written)
    note = f"{len(changed)} of {total} files rewritten"
    yield _start("P8", "one file of 50 edited", "≤ 5×", usages, note)


def start(bench: Workshop) -> Iterator[Row]:
    """P9: what answers without work."""
    for option in ("--version", "--help"):
        maker = partial(Command, (TOOLSPEC, option), bench.scratch)
        usages = alternate([maker, bench.python("pass")], 20)
        yield _start("P9", f"`{option}`", "≤ 1.15×", usages)


def processes(bench: Workshop) -> Iterator[Row]:
    """P12: wall time with two processes."""
    for size, goal in ((bench.tools, 0.58), (bench.tools * 10, 0.54)):
        row = partial(
            Row, "P12", f"two processes, {size:,} tools, wall", f"≤ {goal}×", "one process"
        )
        if "--jobs" not in _printed([TOOLSPEC, "compile", "--help"], python=False):
            yield row(note="the compiler runs in one process: no `--jobs` yet")
            continue
        makers = [bench.cold("compile", "--jobs", jobs, tools=size) for jobs in "12"]
        one, two = (typical(each) for each in alternate(makers, 3))
        yield row(two.wall / one.wall, "×", f"{two.wall:.2f} s wall", f"{one.wall:.2f} s wall")


def docs(bench: Workshop) -> Iterator[Row]:
    """P13: the documentation alone."""
    goals = {"redocly build-docs": 3.5}
    arguments = ("compile", "--target", "docs")
    yield from _against_all(bench, "P13", "docs alone", goals, *arguments)


def positions(bench: Workshop) -> Iterator[Row]:
    """P16: places in JSON."""
    times = _inside(bench, "places", FEW, "json")
    yield Row(
        "P16", "clean JSON with places on demand", "≤ 1×", "`json.loads`",
        times["ours"] / times["json.loads"], "×",
        *(f"{1000 * times[each]:.1f} {MILLI}" for each in ("ours", "json.loads")),
    )  # fmt: skip
    first, many = 1000 * times["first finding"], 1000 * times["1,000 findings"]
    yield Row("P16", "place of a file's first finding", "≤ 1 ms", "–", first, " ms CPU")
    what = "places of 1,000 findings over the first one's"
    yield Row("P16", what, "≤ 10×", "one finding", many / first, "×", f"{many:.1f} {MILLI}")


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
    "P2": scale,
    "P3": floor,
    "P4": check,
    "P4-rules": rules,
    "P5": validation,
    "P6": reading,
    "P7": nothing_changed,
    "P8": one_edited,
    "P9": start,
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


def _printed(arguments: list[str], *, python: bool = True) -> str:
    command = [PYTHON, *arguments] if python else arguments
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return done.stdout


def _changed_since(folder: Path, before: dict[Path, int]) -> dict[Path, int]:
    """Return the files below a folder, with their times, that are new or newer than before."""
    found = {each: each.stat().st_mtime_ns for each in folder.rglob("*") if each.is_file()}
    return {path: at for path, at in found.items() if before.get(path) != at}
