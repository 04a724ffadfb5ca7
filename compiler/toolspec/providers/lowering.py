"""Lowering of a tool to one provider: the steps of its profile in order, then the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers import profile as profiles
from toolspec.providers.build_ledger import Source, build_ledger
from toolspec.providers.decoding import decode_map
from toolspec.providers.draft import Draft, entries
from toolspec.providers.features import features
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import write
from toolspec.providers.steps import LIMIT_STEPS, STEPS
from toolspec.providers.steps.inline_references import DEEPEST, measure
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Node
    from toolspec.providers.profile import Profile, Stage
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class LoweredTool:
    """A tool as it is sent to one provider.

    `schema` is None where the provider wants no parameters at all. `ledger` is sorted by pointer
    and has one entry for each keyword of `Tool.arguments`. `decode` turns a model's answer into
    arguments of the source (`toolspec.runtime.provider_calls` has the operations).
    `strict_refusals` has the reasons why no strict form exists; then the other fields are those of
    the loose form, and `is_strict` is false.
    """

    name: str
    description: str
    schema: JsonObject | None
    is_strict: bool
    ledger: tuple[Entry, ...]
    decode: tuple[JsonObject, ...] = ()
    strict_refusals: tuple[Entry, ...] = ()

    @property
    def refusals(self) -> tuple[Entry, ...]:
        """Keywords that cannot be expressed for the provider; a tool with one cannot be sent."""
        return tuple(entry for entry in self.ledger if entry.outcome is Outcome.REFUSED)


def lower(tool: Tool, profile: Profile) -> LoweredTool:
    """Return a tool as a profile sends it; the loose form, and why, where there is no strict one.

    Pure, deterministic, and linear in the tool and the growth that the profile allows for
    references.
    """
    return Lowering(tool).to(profile)


class Lowering:
    """Lowered forms of one tool; what several profiles make of it alike is made once."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool
        self._source = Source(tool)
        self._starts: dict[Outcome, Draft] = {}
        self._forms: dict[str, LoweredTool] = {}
        # Each value includes what its key identifies, so that no id is reused.
        self._steps: dict[tuple[int, int], tuple[Draft, Stage, Draft]] = {}
        self._schemas: dict[int, _Schema] = {}

    def to(self, profile: Profile) -> LoweredTool:
        """Return the tool as a profile sends it, as `lower` does."""
        lowered = self._form(profile)
        if not lowered.refusals or not profile.fallback:
            return lowered
        loose = profiles.find_profile(profile.fallback)
        return replace(self._form(loose), strict_refusals=lowered.refusals) if loose else lowered

    def _form(self, profile: Profile) -> LoweredTool:
        if profile.name not in self._forms:
            self._forms[profile.name] = self._made(profile)
        return self._forms[profile.name]

    def _made(self, profile: Profile) -> LoweredTool:
        draft = self._start(profile)
        for stage in profile.steps:
            if stage.step in LIMIT_STEPS:
                draft = LIMIT_STEPS[stage.step](draft, stage.options, profile.limits)
            else:
                draft = self._after(draft, stage)
            if draft.is_overgrown:
                break
        draft = _within_depth(draft, self._source.root)
        schema = self._schema(draft.root)
        draft = draft.having(draft.root, schema.ambiguous)
        return LoweredTool(
            draft.name,
            draft.description,
            schema.value,
            profile.is_strict,
            build_ledger(draft, profile, self._source, schema.features),
            schema.decode,
        )

    def _start(self, profile: Profile) -> Draft:
        is_enforced = profile.treatment("type").sent == "E"
        outcome = Outcome.KEPT if is_enforced else Outcome.HINT
        if outcome not in self._starts:
            tool = self._tool
            draft = Draft(tool, outcome, tool.names.full, tool.description, None)
            self._starts[outcome] = draft.having(self._source.root)
        return self._starts[outcome]

    def _after(self, draft: Draft, stage: Stage) -> Draft:
        """Return the draft after a step, which depends on nothing but the draft and the options."""
        key = (id(draft), id(stage))
        if key not in self._steps:
            self._steps[key] = (draft, stage, STEPS[stage.step](draft, stage.options))
        return self._steps[key][2]

    def _schema(self, root: Node | None) -> _Schema:
        if id(root) not in self._schemas:
            self._schemas[id(root)] = _Schema(root)
        return self._schemas[id(root)]


class _Schema:
    """A schema after all steps, with what each provider with this schema needs of it."""

    __slots__ = ("ambiguous", "decode", "features", "root", "value")

    def __init__(self, root: Node | None) -> None:
        self.root = root
        value = write(root) if root else None
        self.value = value if isinstance(value, dict) else None
        self.decode, self.ambiguous = decode_map(root) if root else ((), ())
        self.features = tuple(features(root)) if root else ()


def _within_depth(draft: Draft, source: Node) -> Draft:
    """Return the draft, refused if its steps nested it deeper than JSON parsers allow."""
    if draft.root is None or draft.is_overgrown or measure(draft.root)[1] <= DEEPEST + 2:
        return draft
    detail = "its schemas are nested too deeply after rewriting"
    refused = entries(source.of(*source.words)[:1], Outcome.REFUSED, "nesting", detail)
    return replace(draft.having(draft.root, refused), is_overgrown=True)
