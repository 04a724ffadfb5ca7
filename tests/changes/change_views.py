"""Comparisons of one pair of versions in each view that shows its change."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import yaml
from change_pairs import blocks
from partial_specs import whole
from toolspec.changes.contract import Block, Contract, contract_of, digest
from toolspec.changes.visibility import View, views
from toolspec.driver.contract.contract_text import contract_text
from toolspec.driver.contract.policy import judge
from toolspec.driver.contract.sides import paired, policy_of, read_side
from toolspec.reports.changes import Form, render_changes
from toolspec.reports.changes.comparison import Comparison
from toolspec.runtime.errors import ToolError
from toolspec.serving.client.guard import ClientGuard
from toolspec.serving.errors import ServeError
from toolspec.serving.guard import check_contract
from toolspec.serving.tool_list import TARGETS

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from toolspec.driver.contract.sides import Reading

TARGET = "mcp-2026-07-28"
TODAY = "2027-01-31"
PAIRS: Mapping[str, Any] = yaml.safe_load(
    Path(__file__).with_name("view_pairs.yaml").read_text("utf-8")
)
"""Further pairs, for views that the pair of a manual does not reach."""

_SETTINGS = {"targets", "deprecationDays", "more"}
"""Keys of a part for the configuration, and for documents of further services."""

GUARDS = frozenset({View.SERVER, View.CLIENT})


class Pair:
    """Two versions in the current folder, each as the files of every view."""

    def __init__(self, old: Any, new: Any) -> None:
        self._parts = {"old": old, "new": new}
        self._readings: dict[Path, Reading] = {}
        for name, part in self._parts.items():
            if isinstance(part, dict) and "contract" not in part:
                self._write_specs(name, part)

    def changes(self, view: View) -> tuple[Container[str], str]:
        """Return the codes in a view, and the text that a user reads."""
        if view in GUARDS:
            return self._guarded(view)
        names = {View.SPEC: ("old", "new"), View.CONTRACT: ("contract", "new")}
        paths = [self._file(view, name) for name in names.get(view, ("old.json", "new.json"))]
        one, other = (self._read(path) for path in paths)
        versions, policy = paired(one, other), policy_of(other).value
        judgement = judge(versions, policy, TODAY)
        comparison = Comparison(
            judgement.changes,
            old_location=one.shown,
            new_location=other.shown,
            span=other.span,
            advice=judgement.advice,
        )
        text = render_changes(Form.TEXT, comparison)
        # A new fact moves the lines of every contract.
        codes = {change.code for change in judgement.changes.changes}
        return codes, re.sub(r"contract\.json:\d+", "contract.json:N", text)

    def _guarded(self, view: View) -> tuple[str, str]:
        """Return what a guard says about the list of a server: twice, as its user reads it."""
        contract = self._contract_of_guards()
        Path("guard.json").write_text(contract_text(contract))
        new = self._parts["new"]
        listed = {"tools": new} if isinstance(new, list) else self._listed("new")
        instructions = listed.get("instructions", "")
        names = {str(block.facts["service"]) for block in contract.tools.values() if block.facts}
        if not isinstance(new, list):
            names |= self._read(Path("new")).side.services.keys()
        guard = _served if view is View.SERVER else _shown
        text = guard(listed["tools"], instructions, sorted(names))
        return text, text

    def _contract_of_guards(self) -> Contract:
        """Return the contract of the old version, with the definitions of both eras."""
        old = self._parts["old"]
        contract = contract_of(old) if "contract" in old else self._contract()
        tools: dict[str, Block] = {}
        for name, block in contract.tools.items():
            assert block.facts is not None
            wire: Any = block.facts["wire"]
            facts = {**block.facts, "wire": dict.fromkeys(TARGETS.values(), wire[TARGET])}
            tools[name] = Block(facts, block.history, digest(facts))
        services = {
            name: Block(block.facts, block.history, digest(block.facts))
            for name, block in contract.services.items()
        }
        return Contract(services, tools)

    def _file(self, view: View, name: str) -> Path:
        """Return the file of a version in a view."""
        stem = name.partition(".")[0]
        part = self._parts.get("old" if stem == "contract" else stem)
        if isinstance(part, list) or (isinstance(part, dict) and "contract" in part):
            path = Path(f"{stem}.json")
            path.write_text(
                json.dumps({"tools": part} if isinstance(part, list) else part, indent=2)
            )
            return path
        if stem == "contract":
            path = Path("contract.json")
            path.write_text(contract_text(self._contract()))
            return path
        if view is View.DUMP:
            path = Path(name)
            path.write_text(json.dumps(self._listed(stem), indent=2))
            return path
        return Path(stem)

    def _write_specs(self, name: str, part: Any) -> None:
        folder = Path(name)
        (folder / "specs").mkdir(parents=True)
        settings = {key: part[key] for key in _SETTINGS if key in part}
        document = {key: part[key] for key in part if key not in settings}
        for each in (document, *settings.get("more", ())):
            text = yaml.safe_dump(complete := whole(each), sort_keys=False)
            (folder / "specs" / f"{complete['service']['name']}.yaml").write_text(text)
        targets = json.dumps([TARGET, *settings.get("targets", ())])
        policy = f"[contract]\ndeprecation-days = {settings.get('deprecationDays', 0)}\n"
        (folder / "toolspec.toml").write_text(f"targets = {targets}\n{policy}")

    def _contract(self) -> Contract:
        side = self._read(Path("old")).side
        services, tools = (
            {name: Block(facts, (), digest(facts)) for name, facts in each.items()}
            for each in (side.services, side.tools)
        )
        return Contract(services, tools)

    def _listed(self, name: str) -> dict[str, Any]:
        side: Any = self._read(Path(name)).side
        return {
            "tools": [facts["wire"][TARGET] for facts in side.tools.values()],
            "instructions": side.services["notes"]["instructions"],
        }

    def _read(self, path: Path) -> Reading:
        if path not in self._readings:
            read = read_side(path)
            assert read.value is not None, read.diagnostics
            self._readings[path] = read.value
        return self._readings[path]


class _Listing:
    """The tools that a server lists, in both eras."""

    def __init__(self, tools: list[Any]) -> None:
        self._tools = tools

    def tools(self, manifest: str) -> list[Any]:
        return self._tools


def _served(tools: list[Any], instructions: str, names: list[str]) -> str:
    services: Any = [SimpleNamespace(definition=SimpleNamespace(name=name)) for name in names]
    listing: Any = _Listing(tools)
    try:
        lines = check_contract("guard.json", listing, services, instructions)
    except ServeError as error:
        lines = list(error.lines)
    return "".join(f"{line}\n" for line in lines)


def _shown(tools: list[Any], instructions: str, _: list[str]) -> str:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(  # type: ignore[method-assign]
        f"{record.levelname.lower()}: {record.getMessage()}"
    )
    log = logging.getLogger("toolspec")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    dump = {"protocolVersion": "2026-07-28", "tools": tools, "instructions": instructions}
    try:
        ClientGuard("guard.json").check(dump)
    except ToolError as error:
        lines.append(str(error))
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
    return "".join(f"{line}\n" for line in lines)


def pair_of(code: str, view: View) -> tuple[Any, Any] | None:
    """Return the versions that show a kind in a view; None if there are none."""
    for stated in PAIRS.get(code, ()):
        if "views" not in stated or view in stated["views"]:
            return stated["old"], stated["new"]
    old, new = blocks(code)
    is_contract = isinstance(old, dict) and "contract" in old
    reached = {View.CONTRACT} if is_contract else {View.DUMP} if isinstance(old, list) else {*View}
    return (old, new) if view in reached else None


def in_views(code: str) -> dict[View, tuple[Any, Any] | None]:
    """Return the versions for each view that shows a kind."""
    return {view: pair_of(code, view) for view in View if view in views(code)}
