"""Merge the options at the root into one object, since providers reject combinators there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, lost
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import LARGEST_PRODUCT, merge
from toolspec.providers.node import NEVER, Members, Node, write
from toolspec.providers.sentences import shown
from toolspec.providers.shapes import common_type, key, limited
from toolspec.providers.steps.conditional_members import CONDITIONS
from toolspec.providers.steps.inline_references import unrolled
from toolspec.providers.steps.merge_all_of import Merging
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Pointers
    from toolspec.providers.profile import Options
    from toolspec.syntax.nodes import JsonValue

NAME = "flatten-root"
_OBJECT = frozenset({"type", "properties", "required", "$defs"})
_COMBINED = frozenset({"allOf", "anyOf", "oneOf", "$ref"})
_LISTED = ANNOTATIONS | {"type", "const", "enum"}
# A closed object is closed except for names that match these.
_BESIDE = dict.fromkeys(("additionalProperties", "unevaluatedProperties"), ("patternProperties",))


def flatten_root(draft: Draft, _: Options) -> Draft:
    """Return the draft without `anyOf` and `oneOf` at the root: all properties of all options.

    Properties required by all options are required; the description lists which belong together.
    Refused where the options cannot be expressed as objects.
    """
    for word in ("anyOf", "oneOf"):
        draft = _flattened(draft, word)
    return draft


def _flattened(draft: Draft, word: str) -> Draft:
    root = draft.root
    if root is None or word not in root:
        return draft
    ledger: list[Entry] = []
    later = root.words.keys() & {"unevaluatedProperties"}
    shared = replace(root.without(word, "$defs", *later, *ANNOTATIONS), notes=())
    try:
        merging = Merging(draft, root, is_kept=True)
        forms = _forms(draft, root.only({word}), merging, ledger)
        forms = [merge(shared, form, ledger, merging.resolved) for form in forms]
    except UnmergeableError as problem:
        return draft.having(root, entries(root.of(word), Outcome.REFUSED, NAME, str(problem)))
    forms = [form for form in forms if not form.is_never]
    if not forms or any(not _COMBINED.isdisjoint(form.words) for form in forms):
        detail = "its options are not plain objects"
        return draft.having(root, entries(root.of(word), Outcome.REFUSED, NAME, detail))
    ledger += merging.ledger
    union = _Union(draft.outcome, forms)
    flattened = union.merged(root.without(word, *shared.words, *later))
    if later:
        flattened = _evaluated(flattened, root, forms, ledger)
    ledger += union.ledger
    ledger += entries(root.of(word), Outcome.WIDENED, NAME, "one object for all options")
    text = _groups(forms)
    description = f"{draft.description}\n\n{text}" if text else draft.description
    return replace(draft.having(flattened, ledger), description=description)


def _evaluated(merged: Node, root: Node, forms: Sequence[Node], ledger: list[Entry]) -> Node:
    """Return the merged object with the root's `unevaluatedProperties`, where possible."""
    word = "unevaluatedProperties"
    if "additionalProperties" in merged:
        ledger += lost(
            root,
            {word},
            Outcome.DROPPED,
            NAME,
            "`additionalProperties` already covers every member",
        )
        return merged
    conditions = frozenset().union(*(form.words for form in forms)) & CONDITIONS
    if not conditions:
        return merged.having("additionalProperties", root.words[word], root.of(word))
    if conditions <= merged.words.keys():
        return merged.having(word, root.words[word], root.of(word))
    ledger += lost(root, {word}, Outcome.WIDENED, NAME, "a condition of an option can accept more")
    return merged


def _forms(draft: Draft, node: Node, merging: Merging, ledger: list[Entry]) -> list[Node]:
    """Return the options of a schema, nested ones included, each with the shared keywords."""
    waiting, forms = [node], []
    while waiting:
        form = merging.change(unrolled(draft, waiting.pop(), ledger))
        word = next((word for word in ("anyOf", "oneOf") if word in form), "")
        if not word:
            forms.append(form)
            continue
        if form is not node:
            ledger += entries(form.of(word), Outcome.WIDENED, NAME, "one object for all options")
        shared = form.without(word)
        inner = [unrolled(draft, option, ledger) for option in reversed(form.many(word))]
        waiting += [merge(shared, option, ledger, merging.resolved) for option in inner]
        if len(waiting) + len(forms) > LARGEST_PRODUCT:
            problem = "too many options"
            raise UnmergeableError(problem)
    return forms


class _Union:
    """Merges several options into one object, and records the losses."""

    def __init__(self, outcome: Outcome, forms: Sequence[Node]) -> None:
        self._outcome = outcome
        self._forms = forms
        self.ledger: list[Entry] = []

    def merged(self, root: Node) -> Node:
        """Return the root with the merged object."""
        forms = self._forms
        merged = root.having("type", "object", self._of("type"))
        names = dict.fromkeys(name for form in forms for name in form.named("properties"))
        properties = {name: self._either(name) for name in names}
        merged = merged.having("properties", Members(properties), self._of("properties"))
        common = [
            name for name in forms[0].required if all(name in form.required for form in forms)
        ]
        detail = "only the members that every option requires are required"
        for form in forms:
            if set(form.required) - set(common):
                self.ledger += entries(form.of("required"), Outcome.WIDENED, NAME, detail)
        if common:
            merged = merged.having("required", [*common], self._of("required"))
        for word in dict.fromkeys(
            word for form in forms for word in form.words if word not in _OBJECT
        ):
            merged = self._shared(merged, word)
        return merged

    def _of(self, word: str) -> Pointers:
        return tuple(dict.fromkeys(at for form in self._forms for at in form.of(word)))

    def _shared(self, merged: Node, word: str) -> Node:
        """Return the object with a keyword that all options share; others are recorded as lost."""
        governing = {word, *_BESIDE.get(word, ())}
        spellings = {key(write(form.only(governing))) for form in self._forms}
        if len(spellings) == 1:
            for form in self._forms[1:]:
                self.ledger += lost(
                    form, {word}, self._outcome, NAME, "stated once for all options"
                )
            at = (*merged.of(word), *self._of(word))
            return merged.having(word, self._forms[0].words[word], at)
        outcome = Outcome.DROPPED if word in ANNOTATIONS else Outcome.WIDENED
        for form in self._forms:
            self.ledger += lost(form, {word}, outcome, NAME, "not in every option")
        return merged

    def _either(self, name: str) -> Node:
        """Return the schema of a property; `anyOf` if it differs between options."""
        variants: dict[object, Node] = {}
        for form in self._forms:
            own = form.named("properties").get(name)
            if own is None and not form.additional.is_never:
                detail = f"an option that does not name `{name}` accepts other values for it"
                narrowed = entries(form.of("properties", "type"), Outcome.NARROWED, NAME, detail)
                self.ledger += narrowed
            elif own is not None:
                same = key(write(own))
                if same in variants:
                    self.ledger += lost(
                        own, own.words, self._outcome, NAME, "stated once for all options"
                    )
                variants.setdefault(same, own)
        several = [variant for variant in variants.values() if not variant.is_never] or [NEVER]
        if len(several) == 1:
            return several[0]
        if all(
            schema.words.keys() <= _LISTED and limited(schema) is not None for schema in several
        ):
            return self._joint_enum(several)
        return Node({"anyOf": tuple(several)}, {}, several[0].location)

    def _joint_enum(self, several: Sequence[Node]) -> Node:
        """Return one enum of the values of several schemas."""
        values = [value for schema in several for value in limited(schema) or ()]
        once: list[JsonValue] = list({key(value): value for value in reversed(values)}.values())[
            ::-1
        ]
        first = several[0]
        for other in several[1:]:
            annotations = other.words.keys() & ANNOTATIONS
            self.ledger += lost(
                other, annotations, Outcome.DROPPED, NAME, "the first option's is kept"
            )
        at = tuple(at for schema in several for at in schema.of("enum", "const"))
        enum = first.without("const", "type").having("enum", once, at)
        typed = tuple(at for schema in several for at in schema.of("type"))
        if stated := common_type(once):
            return enum.having("type", stated, typed)
        self.ledger += entries(typed, self._outcome, NAME, "the values imply it")
        return enum


def _groups(forms: Sequence[Node]) -> str:
    """Return a sentence on which properties belong together; empty if all options agree."""
    common = set.intersection(*(set(form.required) for form in forms))
    groups = dict.fromkeys(_group(form, forms, common) for form in forms)
    if len(groups) == 1:
        return ""
    return f"Give either {' or '.join(groups)}."


def _group(form: Node, forms: Sequence[Node], common: set[str]) -> str:
    names = []
    for name in form.required:
        values = limited(form.named("properties").get(name, Node()))
        others = [limited(form.named("properties").get(name, Node())) for form in forms]
        telling = values is not None and any(
            other is None or {*map(key, other)} != {*map(key, values)} for other in others
        )
        if telling and values is not None:
            names.append(f"{name} = {' or '.join(map(shown, values))}")
        elif name not in common:
            names.append(name)
    return f"({', '.join(names)})" if names else "(none of these)"
