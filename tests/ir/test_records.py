"""Frozen records that are made and copied quickly behave as `dataclasses` made them."""

from __future__ import annotations

import dataclasses
import pickle
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, field, fields
from typing import Generic, TypeVar

import pytest
from toolspec.shared.records import dataclass, replace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """A record."""

    kind: str
    missing: int = 3
    names: list[str] = field(default_factory=list, compare=False)
    hidden: int = field(default=0, repr=False)


@dataclass(frozen=True, slots=True)
class Longer(Record):
    more: str = ""


@dataclass(frozen=True, slots=True)
class Calculated:
    number: int
    twice: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", self.number * 2)


@dataclass(frozen=True, slots=True)
class Empty:
    """No field."""


@dataclass(frozen=True, slots=True)
class One(Generic[T]):
    value: T

    def __eq__(self, other: object) -> bool:
        return isinstance(other, One) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return 1


class Late(Record):
    __slots__ = ("late",)


def test_a_record_is_filled_by_position_and_name_and_default() -> None:
    assert Record("a", names=["b"]) == Record(missing=3, kind="a")
    assert repr(Record("a", 4, ["b"])) == "Record(kind='a', missing=4, names=['b'])"
    assert hash(Record("a")) == hash(Record("a", 3))
    assert Record("a") != Record("a", 4)
    assert Record("a") == Record("a", names=["not compared"])
    assert Record("a") != Longer("a")
    assert repr(Empty()) == "Empty()"
    assert Empty() == Empty()
    assert One(1) != One(1.0)
    assert Calculated(4).twice == 8
    assert (Calculated(4), Empty()) == (Calculated(4), Empty())


def test_a_factory_makes_a_value_for_each_record() -> None:
    assert Record("a").names == []
    assert Record("a").names is not Record("a").names


def test_a_record_is_frozen_once_it_is_made() -> None:
    record = Record("a")
    assert type(record) is Record
    with pytest.raises(FrozenInstanceError):
        record.kind = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del record.kind  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        Longer("a").more = "b"  # type: ignore[misc]


def test_a_missing_or_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="kind"):
        Record()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="other"):
        Record("a", other=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", [Longer, Late])
def test_a_record_of_a_subclass_is_one_of_it(kind: type[Record]) -> None:
    record = kind("a")
    assert type(record) is kind
    assert (record.kind, record.missing, record.names) == ("a", 3, [])


RECORDS = [Record("a", 5, ["b"], 1), Longer("a", more="b"), Calculated(2), Empty(), One("a")]


@pytest.mark.parametrize("record", RECORDS, ids=repr)
def test_a_record_is_pickled_and_copied_whole(record: object) -> None:
    for copied in (pickle.loads(pickle.dumps(record)), copy(record), deepcopy(record)):  # noqa: S301 - written here
        assert copied == record
        for each in fields(record):  # type: ignore[arg-type]
            assert getattr(copied, each.name) == getattr(record, each.name)


def test_a_record_is_replaced_in_part() -> None:
    assert replace(Record("a"), missing=5) == dataclasses.replace(Record("a"), missing=5)
    assert replace(One(1), value=2) == One(2)


def test_a_record_is_a_dataclass_to_all_that_reads_them() -> None:
    assert dataclasses.asdict(Record("a")) == {"kind": "a", "missing": 3, "names": [], "hidden": 0}
    assert dataclasses.astuple(Empty()) == ()
    match Record("a", 4):
        case Record(kind, missing):
            assert (kind, missing) == ("a", 4)
    assert not hasattr(Record("a"), "__dict__")
    assert Record.__dataclass_params__.frozen  # type: ignore[attr-defined]  # Dask reads it


def test_other_options_are_those_of_the_library() -> None:
    @dataclass(slots=True)
    class Open:
        value: int = 0

    opened = Open()
    opened.value = 1
    assert opened == Open(1)
