"""Frozen records that are made and copied quickly behave as `dataclasses` made them."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, dataclass, field

import pytest
from toolspec.shared.records import fast_init, replace


@fast_init
@dataclass(frozen=True, slots=True, order=True)
class Record:
    kind: str
    missing: int = 3
    names: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class Longer(Record):
    more: str = ""


class Late(Record):
    __slots__ = ("late",)


def test_a_record_is_filled_by_position_and_name_and_default() -> None:
    assert Record("a", names=["b"]) == Record(missing=3, kind="a")
    assert repr(Record("a", 4, ["b"])) == "Record(kind='a', missing=4, names=['b'])"
    assert hash(Record("a")) == hash(Record("a", 3))
    assert Record("a", 2) < Record("a", 3)


def test_a_factory_makes_a_value_for_each_record() -> None:
    assert Record("a").names == []
    assert Record("a").names is not Record("a").names


def test_a_record_is_frozen_once_it_is_made() -> None:
    record = Record("a")
    assert type(record) is Record
    with pytest.raises(FrozenInstanceError):
        record.kind = "b"  # type: ignore[misc]


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


def test_a_record_is_copied_and_pickled() -> None:
    record = replace(Record("a"), missing=5)
    assert record == Record("a", 5)
    assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301 - written a line before


def test_filling_a_record_never_goes_through_the_setter_of_frozen_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Record, "__setattr__", refuse)
    assert Record("a").kind == "a"
