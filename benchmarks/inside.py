"""Parts of the work on their own, timed inside one process: `python inside.py WHAT PROJECT`.

Prints one JSON object: CPU seconds by name, medians of the rounds; both sides in alternation.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from toolspec.cli.main import GARBAGE
from toolspec.driver.config import DEFAULT_TARGETS, Config, Project
from toolspec.driver.workspace import Workspace
from toolspec.frontend import bind, includes, naming, normalise, resolve, shape
from toolspec.rules import engine
from toolspec.syntax import parse
from toolspec.targets import discovery
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolspec.ir import Program
    from toolspec.syntax.nodes import Document
    from toolspec.targets.target import Target

ROUNDS = 5
OF_PYTHON = gc.get_threshold()
Times = dict[str, float]


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def alternate(sides: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> Times:
    """Return the median CPU seconds of each side, run in turn."""
    runs = [{name: cpu(work) for name, work in sides.items()} for _ in range(rounds)]
    return {name: median(each[name] for each in runs) for name in sides}


def plainly(work: Callable[[], object]) -> None:
    """Do some work of another program, with garbage collected as often as Python does by itself.

    How seldom the compiler collects it is part of the compiler, as `cli/main.py` has it.
    """
    gc.set_threshold(*OF_PYTHON)
    work()
    gc.set_threshold(GARBAGE)


def texts(project: Path) -> dict[str, bytes]:
    """Return the sources of a project by name."""
    files = sorted((project / "specs").iterdir())
    return {f"specs/{path.name}": path.read_bytes() for path in files}


def documents(project: Path) -> list[Document]:
    """Return the parsed sources of a project."""
    parsed = (parse(name, data).value for name, data in texts(project).items())
    return [each for each in parsed if each is not None]


def judge(found: list[Document], bound: list[Any], files: Workspace) -> None:
    """Do all that validates documents and the services that were bound from them."""
    _shapes(found)
    for each in bound:
        assert resolve.resolve(each, files).ok


def validation(project: Path) -> Times:
    """Time the document schema, the metaschema, references and examples against `jsonschema` (P5)."""
    from jsonschema import Draft202012Validator
    from naive import CONTRACT, problems

    found, files = documents(project), _workspace(project)
    bound = [bind.bind(includes.expand(each, files).value, "_").value for each in found]
    contract = Draft202012Validator(json.loads(CONTRACT.read_bytes()))
    values: list[Any] = [each.value for each in found]
    judge(found[:1], bound[:1], files)
    return alternate(
        {
            "ours": lambda: judge(found, bound, _workspace(project)),
            "jsonschema": lambda: plainly(lambda: [problems(each, contract) for each in values]),
        }
    )


def reading(project: Path) -> Times:
    """Time YAML with the position of every key and value against loaders (P6)."""
    import yaml
    from ruamel.yaml import YAML

    sources = texts(project)
    one = next(iter(sources.values()))

    def load() -> list[object]:
        return [yaml.load(each, yaml.CSafeLoader) for each in sources.values()]

    times = alternate(
        {
            "ours": lambda: [parse(name, data) for name, data in sources.items()],
            "CSafeLoader": lambda: plainly(load),
        }
    )
    # Minutes on the whole corpus, so one document stands for all; both sides read the same one.
    single = alternate(
        {
            "one": lambda: parse("a.yaml", one),
            "ruamel": lambda: plainly(lambda: YAML().load(one)),
        },
        3,
    )
    return times | single


def locations(project: Path) -> Times:
    """Time clean JSON with locations against `json.loads`, and the first locations (P16)."""
    sources = texts(project)
    name, data = next(iter(sources.items()))
    tools = json.loads(data)["tools"]
    paths = [
        ("tools", number, side, "properties", key)
        for number, tool in enumerate(tools)
        for side in ("inputSchema", "outputSchema")
        for key in tool[side].get("properties", ())
    ]

    def locate(count: int) -> float:
        document = parse(name, data).value
        assert document is not None
        wanted = [document.location(*path) for path in (paths * 1000)[-count:]]
        return cpu(lambda: [location.span for location in wanted])

    return alternate(
        {
            "ours": lambda: [parse(each, text) for each, text in sources.items()],
            "json.loads": lambda: plainly(lambda: [json.loads(text) for text in sources.values()]),
        }
    ) | {
        "first location": median(locate(1) for _ in range(4 * ROUNDS)),
        "1,000 locations": median(locate(1000) for _ in range(4 * ROUNDS)),
    }


def stages(project: Path) -> Times:
    """Time each stage of a compile before the writing, one after the other over all documents (P11)."""
    times: Times = {}
    # The command holds one service at a time; here a collection of all would be counted with some stage.
    gc.disable()

    def timed(name: str, work: Callable[..., Any], *arguments: object) -> Any:
        start = time.process_time()
        result = work(*arguments)
        times[name] = time.process_time() - start
        return result

    files = _workspace(project)
    found = timed("read and parse", documents, project)
    timed("shape", _shapes, found)
    units = [includes.expand(each, files).value for each in found]
    services = timed("bind", lambda: [bind.bind(each, "_").value for each in units])
    services = timed("resolve", lambda: [resolve.resolve(each, files).value for each in services])
    services = timed("normalise", _normalised, services)
    program: Program = timed("naming", naming.name_program, services, "_").value
    timed("rules", lambda: tuple(engine.run(program)))
    for name in DEFAULT_TARGETS:
        target = discovery.find(name)
        assert target is not None
        timed(name, _emit, target, program)
    return times


def _shapes(found: list[Document]) -> None:
    for each in found:
        assert not tuple(shape.check(each, shape.Form.SERVICE))


def _normalised(services: list[Any]) -> list[Any]:
    for derive in normalise.PASSES:
        services = [derive(each).value for each in services]
    return services


def _emit(target: Target, program: Program) -> int:
    return sum(len(each.text) for each in emit_program(target, program).value)


def _workspace(project: Path) -> Workspace:
    return Workspace(Project(project, Config()))


WHAT = {"validation": validation, "reading": reading, "locations": locations, "stages": stages}

if __name__ == "__main__":
    gc.set_threshold(GARBAGE)  # as the command does
    print(json.dumps(WHAT[sys.argv[1]](Path(sys.argv[2]).resolve())))
