"""Merges changes of an API into documents that were imported from it and edited since."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING

from toolspec.diagnostics import Diagnostic, Label, Subject
from toolspec.driver.formatting.form import print_tree, read_tree
from toolspec.driver.formatting.nodes import Collection, Member, Scalar
from toolspec.driver.formatting.orders import plain_key
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.large_yaml_text import large_yaml_text
from toolspec.importers.openapi.units import (
    RECORD,
    Record,
    digest,
    merged,
    units_of_schema,
    units_of_service,
    units_of_tool,
)
from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import dataclass, field, replace
from toolspec.syntax import parse
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.driver.formatting.nodes import SyntaxTree
    from toolspec.importers.openapi.services import ServiceDraft
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path

_SERVICE, _TOOLS, _DEFINITIONS = "service", "tools", "$defs"
_ABSENT = "(not there)"
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class _Part:
    """The service, a tool or a definition: its parts, its node, and the collection that holds it."""

    key: str
    location: Location = field(repr=False)
    node: Member = field(repr=False)
    holder: Collection = field(repr=False)
    units: Mapping[Path, JsonValue] = field(repr=False)
    is_json: bool = False

    def spelled(self, name: str) -> str:
        """Return a key of its file."""
        return json.dumps(name, ensure_ascii=False) if self.is_json else name


@dataclass(frozen=True, slots=True)
class _File:
    document: Document
    tree: SyntaxTree

    @property
    def is_json(self) -> bool:
        """Whether its nodes are spelled as JSON, which YAML's are not."""
        return self.document.source.path.lower().endswith(".json")

    def parts(self) -> Iterator[_Part]:
        """Yield the service, the tools that have a source, and the definitions of a file."""
        value, root = self.document.value, self.tree.root
        if not isinstance(value, dict) or not isinstance(root, Collection):
            return
        location = self.document.location()
        service, node = value.get(_SERVICE), _member(root, _SERVICE)
        if isinstance(service, dict) and node:
            units = units_of_service(service)
            yield _Part(_SERVICE, location / _SERVICE, node, root, units, self.is_json)
        holder = _held(root, _TOOLS)
        for key, step, tool in _entries(value.get(_TOOLS)):
            if node := _entry(holder, step):
                at = location.at(_TOOLS, step)
                yield _Part(key, at, node, holder, units_of_tool(tool), self.is_json)
        holder, schemas = _held(root, _DEFINITIONS), value.get(_DEFINITIONS)
        for name, schema in schemas.items() if isinstance(schemas, dict) else ():
            if node := _entry(holder, name):
                at = location.at(_DEFINITIONS, name)
                units = units_of_schema(schema)
                yield _Part(_key(name), at, node, holder, units, self.is_json)


class Update:
    """The merge of a new import into the files of a service, in YAML or JSON.

    `upstream` are the files as a new import writes them, `documents` those that exist, the service
    document first. `diagnostics` has an error for each conflict. Raises UnprintableError for a
    document without canonical form.
    """

    def __init__(
        self, draft: ServiceDraft, upstream: Mapping[str, str], documents: Mapping[str, Document]
    ) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._local: dict[str, _Part] = {}
        self._followed: dict[str, list[Path]] = {}
        self._draft = draft
        self._origins = {
            str(_source(tool.fields).get("member")): tool.location for tool in draft.tools
        }
        self._files = {name: _File(one, read_tree(one)) for name, one in documents.items()}
        self._main = next(iter(self._files.values()))
        old = self._main.document.value
        record = old.get(RECORD) if isinstance(old, dict) else None
        self._record: JsonObject = record if isinstance(record, dict) else {}
        new = [document for name, text in upstream.items() if (document := _parsed(name, text))]
        self._upstream = {False: _parts_of(new)}
        if any(file.is_json for file in self._files.values()):
            self._upstream[True] = _parts_of(map(_as_json, new))
        self._merge()

    def texts(self) -> dict[str, str]:
        """Return the text of each file after the update."""
        return {name: print_tree(file.document, file.tree) for name, file in self._files.items()}

    def explained(self, error: Diagnostic) -> Diagnostic:
        """Return an error about the merged text with both sides: what changed here and upstream."""
        key = self._key_of(error)
        part = self._local.get(key)
        if part is None:
            return error
        record = Record(self._record.get(key))
        edited = [path for path, value in part.units.items() if not record.equals(path, value)]
        followed = self._followed.get(key, [])
        labels: list[Label] = []
        if edited:
            at = part.location.at(*edited[0])
            at = at if at.value_or_none is not None else part.location
            labels.append(Label(at.key_span, f"changed here: {_listed(edited)}"))
        if followed:
            origin = self._origins.get(key, self._draft.service.location)
            labels.append(Label(origin.key_span, f"changed upstream: {_listed(followed)}"))
        return replace(error, labels=(*error.labels, *labels))

    def _key_of(self, error: Diagnostic) -> str:
        """Return the part of the merged text that an error is about; empty for none."""
        file = self._files.get(error.span.source.path) if error.span else None
        merged = _parsed(error.span.source.path, error.span.source.text) if error.span else None
        value = merged.value if merged else None
        if file is None or not isinstance(value, dict):
            return ""
        match parse_pointer(error.subject.pointer):
            case ("service", *_):
                return _SERVICE
            case ("$defs", str(name), *_):
                return _key(name)
            case ("tools", step, *_):
                entries = {str(at): key for key, at, _ in _entries(value.get(_TOOLS))}
                return entries.get(str(step), "")
        return ""

    def _merge(self) -> None:
        """Merge every part of the new import into the trees."""
        new = self._upstream[False]
        local = {part.key: part for file in self._files.values() for part in file.parts()}
        self._local = local
        for key in dict.fromkeys((*new, *local)):
            record = Record(self._record.get(key))
            match local.get(key), new.get(key):
                case _Part() as mine, _Part():
                    self._merge_part(record, mine, self._upstream[mine.is_json][key])
                case None, _Part() if key not in self._record:
                    self._add(key)
                case _Part() as mine, None if key in self._record and not self._is_kept(key):
                    self._remove(record, mine)
        self._add_missing(new)
        kept = {key: value for key, value in self._record.items() if self._is_kept(key)}
        digests = {**kept, **{key: digest(part.units) for key, part in new.items()}}
        # In the order of an import, whatever the files of the parts.
        keys = sorted(digests, key=lambda key: (key != _SERVICE, key.startswith("#")))
        self._write_record({key: digests[key] for key in keys})

    def _is_kept(self, key: str) -> bool:
        """Return whether an operation exists upstream, though this import does not select it."""
        return key in self._draft.members

    def _merge_part(self, record: Record, mine: _Part, theirs: _Part) -> None:
        actions = dict(merged(record, mine.units, theirs.units))
        for path in (path for path, action in actions.items() if action == "conflict"):
            local, upstream = (part.units.get(path, _ABSENT) for part in (mine, theirs))
            self._conflict(mine, path, local, upstream)
        # A schema may become `true`, or the other way round: the old form goes first.
        for action, apply in (("delete", _delete), ("set", _set)):
            for path in (path for path, chosen in actions.items() if chosen == action):
                self._followed.setdefault(mine.key, []).append(path)
                if path == ("name",) and mine.holder.is_mapping and not mine.key.startswith("#"):
                    mine.node.key = mine.spelled(str(theirs.units[path]))
                elif not apply(mine.node, theirs.node, path):
                    local, upstream = (part.units.get(path, _ABSENT) for part in (mine, theirs))
                    self._conflict(mine, path, local, upstream)

    def _remove(self, record: Record, mine: _Part) -> None:
        """Remove what is gone upstream, unless a person edited it or still refers to it."""
        if mine.key.startswith("#") and self._is_used(mine.key):
            return
        if record.is_unchanged(mine.units):
            _drop(mine.holder, mine.node)
        else:
            self._conflict(mine, (), "edited", _ABSENT)

    def _is_used(self, reference: str) -> bool:
        spelling = {reference, f'"{reference}"', f"'{reference}'"}
        return any(
            scalar.lines[0] in spelling
            for file in self._files.values()
            for scalar in _scalars(file.tree.root)
        )

    def _add(self, key: str) -> None:
        """Add a new tool or definition after the others, in the last file that has some."""
        section = _DEFINITIONS if key.startswith("#") else _TOOLS
        holders = self._holders(section)
        if not holders:
            root = self._main.tree.root
            assert isinstance(root, Collection)
            holders = [(self._main, Collection(is_mapping=section == _DEFINITIONS))]
            name = f'"{section}"' if self._main.is_json else section
            root.members.append(Member(name, holders[0][1]))
        file, holder = holders[-1]
        theirs = self._upstream[file.is_json][key]
        node = deepcopy(theirs.node)
        if section == _TOOLS and holder.is_mapping:
            node.key = theirs.spelled(str(theirs.units.get(("name",))))
        node.blank = section == _TOOLS and bool(holder.members)
        holder.members.append(node)

    def _holders(self, section: str) -> list[tuple[_File, Collection]]:
        """Return the lists or maps of tools or definitions, each with its file."""
        holders = []
        for file in self._files.values():
            root = file.tree.root
            member = _member(root, section) if isinstance(root, Collection) else None
            if member and isinstance(member.value, Collection):
                holders.append((file, member.value))
        return holders

    def _add_missing(self, new: Mapping[str, _Part]) -> None:
        """Add definitions that a person deleted and that something new refers to."""
        while True:
            there = {
                _key(plain_key(member.key))
                for _, holder in self._holders(_DEFINITIONS)
                for member in holder.members
            }
            missing = [
                key
                for key in new
                if key.startswith("#") and key not in there and self._is_used(key)
            ]
            if not missing:
                return
            for key in missing:
                self._add(key)

    def _write_record(self, record: JsonObject) -> None:
        root = self._main.tree.root
        assert isinstance(root, Collection)
        name = self._main.document.source.path
        value: JsonObject = {RECORD: record}
        text = json.dumps(value) if self._main.is_json else large_yaml_text(value, {}, ())
        document = _parsed(name, text)
        assert document is not None, "the importer wrote it"
        tree = read_tree(document)
        assert isinstance(tree.root, Collection)
        (fresh,) = tree.root.members
        old = _member(root, RECORD)
        if old is None:
            root.members.append(fresh)
        else:
            old.value = fresh.value

    def _conflict(self, mine: _Part, path: Path, local: JsonValue, upstream: JsonValue) -> None:
        at = mine.location.at(*path)
        origin = self._origins.get(mine.key, self._draft.service.location)
        label = Label(origin.key_span, f"upstream: {_short(upstream)}")
        what = "/".join(map(str, path)) or "everything"
        self.diagnostics.append(
            kinds.CONFLICT.at(
                at.key_span,
                f"here: {_short(local)}",
                labels=(label,),
                subject=Subject(self._draft.name, pointer=at.pointer),
                what=what,
                owner=mine.key,
                upstream=_short(upstream),
            )
        )


def _set(mine: Member, theirs: Member, path: Path) -> bool:
    """Copy a part of another node, and the mappings around it that are missing.

    Returns False where the node has another form, or the text belongs to another place too.
    """
    for index, step in enumerate(path):
        here, there = mine.value, theirs.value
        if not isinstance(there, Collection):
            break
        source = _find(there, str(step))
        if source is None or not isinstance(here, Collection):
            return False
        target = _find(here, str(step))
        is_last = index == len(path) - 1
        if target is None and is_last:
            fresh = deepcopy(source)
            fresh.blank = False
            here.members.append(fresh)
            return True
        if target is None:
            assert isinstance(source.value, Collection)
            shell = Collection(source.value.is_mapping, source.value.is_line)
            target = Member(source.key, shell, deepcopy(source.lead), source.trail)
            here.members.append(target)
        mine, theirs = target, source
    if _is_alias(mine.value):
        return False
    mine.value = deepcopy(theirs.value)
    return True


def _delete(mine: Member, _: Member, path: Path) -> bool:
    """Delete a part of a node; a list without items goes too. Returns False if it is not there."""
    chain = [mine]
    for step in path:
        value = chain[-1].value
        found = _find(value, str(step)) if isinstance(value, Collection) else None
        if found is None:
            return False
        chain.append(found)
    for holder, member in zip(reversed(chain[:-1]), reversed(chain[1:]), strict=True):
        assert isinstance(holder.value, Collection)
        _drop(holder.value, member)
        if holder.value.members:
            break
    return True


def _is_alias(node: Collection | Scalar) -> bool:
    return isinstance(node, Scalar) and node.lines[0].startswith("*")


def _drop(holder: Collection, member: Member) -> None:
    holder.members = [one for one in holder.members if one is not member]


def _find(holder: Collection, step: str) -> Member | None:
    """Return a member by its key, an item of a list of names, or an error by its code."""
    if holder.is_mapping:
        return _member(holder, step)
    for item in holder.members:
        if isinstance(item.value, Scalar):
            text = item.value.lines[0]
        else:
            code = _member(item.value, "code")
            text = code.value.lines[0] if code and isinstance(code.value, Scalar) else ""
        if plain_key(text) == step:
            return item
    return None


def _member(holder: Collection, key: str) -> Member | None:
    return next((member for member in holder.members if plain_key(member.key) == key), None)


def _entries(tools: JsonValue) -> Iterator[tuple[str, str | int, JsonObject]]:
    """Yield the imported tools of a list or map: operation, step, value."""
    steps: Iterable[tuple[str | int, JsonValue]] = ()
    if isinstance(tools, dict):
        # The key of a map is the name.
        steps = (
            (name, {"name": name, **tool}) for name, tool in tools.items() if isinstance(tool, dict)
        )
    elif isinstance(tools, list):
        steps = enumerate(tools)
    for step, tool in steps:
        if isinstance(tool, dict) and isinstance(member := _source(tool).get("member"), str):
            yield member, step, tool


def _held(root: Collection, section: str) -> Collection:
    """Return the list or map of a section; an empty one where it is not written as such."""
    member = _member(root, section)
    return (
        member.value
        if member and isinstance(member.value, Collection)
        else Collection(is_mapping=True)
    )


def _entry(holder: Collection, step: str | int) -> Member | None:
    """Return the node of a tool or definition; None for one that is written elsewhere."""
    if isinstance(step, int):
        return holder.members[step] if step < len(holder.members) else None
    return _member(holder, step)


def _source(tool: JsonObject) -> JsonObject:
    source = tool.get("source")
    return source if isinstance(source, dict) else {}


def _key(definition: str) -> str:
    return f"#/$defs/{definition}"


def _scalars(node: Collection | Scalar) -> Iterator[Scalar]:
    pending: list[Collection | Scalar] = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            yield node
        else:
            pending += (member.value for member in node.members)


def _parts_of(documents: Iterable[Document]) -> dict[str, _Part]:
    files = (_File(document, read_tree(document)) for document in documents)
    return {part.key: part for file in files for part in file.parts()}


def _as_json(document: Document) -> Document:
    """Return a document of the same values, on one line so that short collections stay on theirs."""
    text = json.dumps(document.value, ensure_ascii=False)
    parsed = _parsed(f"{document.source.path}.json", text)
    assert parsed is not None, "the importer wrote it"
    return parsed


def _listed(paths: Iterable[Path]) -> str:
    return _short(", ".join("/".join(map(str, path)) for path in paths))


def _parsed(name: str, text: str) -> Document | None:
    return parse(name, text.encode("utf-8")).value


def _short(value: JsonValue) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
