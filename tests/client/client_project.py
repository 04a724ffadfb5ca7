"""A compiled project with handlers: a tool for each thing that a client may meet."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from forkserver import toolspec

HERE = Path(__file__).parent
TOOLSPEC = (str(toolspec()),)


def make_project(folder: Path, package: str) -> Iterator[Path]:
    """Yield a folder with the service, its handlers, and its package, which can be imported."""
    (folder / "specs").mkdir()
    shutil.copy(HERE / "desk.yaml", folder / "specs")
    shutil.copy(HERE / "desk_handlers.py", folder / "app.py")
    (folder / "toolspec.toml").write_text(f'specs = ["specs"]\nout = "{package}"\n')
    subprocess.run([*TOOLSPEC, "compile"], cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    try:
        yield folder
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each.partition(".")[0] == package]:
            del sys.modules[name]
