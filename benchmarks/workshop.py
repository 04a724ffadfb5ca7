"""Where the measuring happens: corpora, fresh projects and the commands of both sides."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from process import Command, FailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from peers import Peer

HERE = Path(__file__).parent
PYTHON = sys.executable
TOOLSPEC = str(Path(sys.executable).with_name("toolspec"))


@dataclass
class Workshop:
    """A scratch folder with the corpora, the peers that are installed, and how often to repeat.

    `dumps` has lists of tools of real servers.
    """

    scratch: Path
    peers: Path
    dumps: Path
    rounds: int
    tools: int
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def corpus(self, tools: int) -> Path:
        """Return the folder of a corpus, made at the first question."""
        folder = self.scratch / f"corpus-{tools}"
        if not folder.exists():
            making = folder.with_suffix(".making")
            shutil.rmtree(making, ignore_errors=True)
            command = [PYTHON, str(HERE / "corpus.py"), str(making), str(tools)]
            # Other compilers are measured at one size.
            subprocess.run([*command, *(["--own"] if tools != self.tools else [])], check=True)
            making.rename(folder)
        return folder

    @property
    def real(self) -> Path:
        """The folder of the corpus of real servers, made at the first question."""
        folder = self.scratch / "corpus-real"
        if not folder.exists():
            dumps = sorted(map(str, self.dumps.glob("*.json")))
            if not dumps:
                message = f"no dumps of real servers in {self.dumps.name}/"
                raise FailedError(message)
            making = folder.with_suffix(".making")
            shutil.rmtree(making, ignore_errors=True)
            subprocess.run([PYTHON, str(HERE / "dumps.py"), str(making), *dumps], check=True)
            making.rename(folder)
        return folder

    def real_tools(self) -> int:
        """Return the number of tools of the real servers."""
        texts = (path.read_text("utf-8") for path in (self.real / "yaml" / "specs").iterdir())
        return sum(len(yaml.load(text, yaml.CSafeLoader)["tools"]) for text in texts)

    def cold_real(self, *arguments: str) -> Callable[[], Command]:
        """Return the maker of a command of ours, each time in a new project of the real servers."""

        def make() -> Command:
            folder = self.fresh()
            specs = self.real / "yaml" / "specs"
            shutil.copytree(specs, folder / "specs", copy_function=os.link)
            return Command((TOOLSPEC, *arguments), folder, accepted=(0, 1))

        return make

    def fresh(self) -> Path:
        """Return a new empty folder. Files made where others were just deleted cost far more."""
        folder = self.scratch / "runs" / f"{os.getpid()}-{next(self._numbers)}"
        folder.mkdir(parents=True)
        return folder

    def project(self, tools: int, form: str = "yaml") -> Path:
        """Return a new project of a corpus: no output, no cache, its own `specs/`."""
        folder = self.fresh()
        specs = self.corpus(tools) / form / "specs"
        shutil.copytree(specs, folder / "specs", copy_function=os.link)
        return folder

    def cold(self, *arguments: str, tools: int = 0, form: str = "yaml") -> Callable[[], Command]:
        """Return the maker of a command of ours, each time in a new project."""
        return lambda: Command(
            (TOOLSPEC, *arguments), self.project(tools or self.tools, form), accepted=(0, 1)
        )

    def script(self, name: str, *arguments: str) -> Callable[[], Command]:
        """Return the maker of a run of one of the scripts here; `OUT` is a new folder's name."""

        def make() -> Command:
            out = self.fresh()
            rest = (str(out / "out") if each == "OUT" else each for each in arguments)
            return Command((PYTHON, str(HERE / name), *rest), out)

        return make

    def python(self, code: str) -> Callable[[], Command]:
        """Return the maker of `python -c code`."""
        return partial(Command, (PYTHON, "-c", code), self.scratch)

    def peer(self, peer: Peer, corpus: Path) -> Callable[[], Command] | None:
        """Return the maker of a peer's run in its folder of a corpus; None where it is not installed.

        `OUT` in the arguments is a new name each time, and a part with `*` is what the glob names.
        """
        binary = next(
            (
                location / peer.program
                for location in (self.peers / "venv" / "bin", self.peers / "node_modules" / ".bin")
                if (location / peer.program).exists()
            ),
            None,
        )
        if binary is None:
            return None
        at = corpus / peer.folder
        # TypeSpec looks for its libraries upwards from the document.
        libraries = self.scratch / "node_modules"
        if not libraries.exists():
            libraries.symlink_to(self.peers / "node_modules")

        def make() -> Command:
            parts: list[str] = [str(binary)]
            for each in peer.arguments.split():
                if "*" in each and not each.startswith("'"):
                    parts += sorted(str(path.relative_to(at)) for path in at.glob(each))
                else:
                    parts.append(each.strip("'").replace("OUT", str(self.fresh() / "out")))
            return Command(tuple(parts), at, accepted=peer.accepted)

        return make

    def peers_python(self, program: str) -> str:
        """Return the Python that can import a peer; nothing where that is not installed."""
        folder = self.peers / "venv" / "bin"
        return str(folder / "python") if (folder / program).exists() else ""

    def clean(self) -> None:
        """Remove what the runs made; the corpora stay."""
        shutil.rmtree(self.scratch / "runs", ignore_errors=True)
