"""The checks of a bundle: those that need everything a schema refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import has_errors
from toolspec.schema import contradictions, satisfiable, values, weight
from toolspec.schema.instances import Judge

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle


def judge_of(bundle: Bundle) -> Judge:
    """Return the judge of values for a bundle."""
    return Judge(bundle.value, bundle.targets)


def check_bundle(bundle: Bundle, judge: Judge) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a bundle whose schemas are each valid.

    Weight comes first and ends it: what is too heavy, or endless, is not given to a validator. What
    was copied from elsewhere is only weighed here; its own findings are made where it stands.
    """
    weighing = weight.weigh(bundle.nodes, bundle.targets, bundle.places)
    if weighing.diagnostics:
        return weighing.diagnostics
    found = list(contradictions.check(bundle.own, bundle.places))
    is_simple = weighing.combinations <= satisfiable.MAX_COMBINATIONS
    if is_simple and len(bundle.targets) <= satisfiable.MAX_REFERENCES and not has_errors(found):
        found += satisfiable.check(judge, bundle)
    if not has_errors(found):
        found += values.check(judge, bundle.own, bundle.places)
    return tuple(found)
