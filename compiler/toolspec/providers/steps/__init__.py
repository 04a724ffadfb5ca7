"""Lowering steps: one pure function a module, by the name that profiles use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.steps.close_objects import close_objects
from toolspec.providers.steps.conditional_members import conditional_members
from toolspec.providers.steps.const_to_enum import const_to_enum
from toolspec.providers.steps.cut_recursion import cut_recursion
from toolspec.providers.steps.describe_output import describe_output
from toolspec.providers.steps.describe_required import describe_required
from toolspec.providers.steps.distribute_any_of import distribute_any_of
from toolspec.providers.steps.drop import drop
from toolspec.providers.steps.drop_impossible import drop_impossible
from toolspec.providers.steps.empty_properties import empty_properties
from toolspec.providers.steps.filter_formats import filter_formats
from toolspec.providers.steps.filter_patterns import filter_patterns
from toolspec.providers.steps.fit_description import fit_description
from toolspec.providers.steps.fit_enums import fit_enums
from toolspec.providers.steps.flatten_root import flatten_root
from toolspec.providers.steps.form_untyped import form_untyped
from toolspec.providers.steps.inclusive_bounds import inclusive_bounds
from toolspec.providers.steps.inline_references import inline_references
from toolspec.providers.steps.map_to_pairs import map_to_pairs
from toolspec.providers.steps.merge_all_of import merge_all_of
from toolspec.providers.steps.name_tool import name_tool
from toolspec.providers.steps.no_parameters import no_parameters
from toolspec.providers.steps.normalise import normalise
from toolspec.providers.steps.note import note
from toolspec.providers.steps.one_of_to_any_of import one_of_to_any_of
from toolspec.providers.steps.rename_keys import rename_keys
from toolspec.providers.steps.require_nullable import require_nullable
from toolspec.providers.steps.single_form import single_form
from toolspec.providers.steps.spell_null import spell_null
from toolspec.providers.steps.split_types import split_types
from toolspec.providers.steps.strip_root import strip_root
from toolspec.providers.steps.widen_tuple import widen_tuple
from toolspec.providers.steps.within_limits import within_limits
from toolspec.providers.steps.write_notes import write_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.providers.draft import LimitStep, Step

STEPS: Mapping[str, Step] = {
    step.__name__.replace("_", "-"): step
    for step in (
        close_objects,
        conditional_members,
        const_to_enum,
        cut_recursion,
        describe_output,
        describe_required,
        distribute_any_of,
        drop,
        drop_impossible,
        empty_properties,
        filter_formats,
        filter_patterns,
        fit_enums,
        flatten_root,
        form_untyped,
        inclusive_bounds,
        inline_references,
        map_to_pairs,
        merge_all_of,
        no_parameters,
        normalise,
        note,
        one_of_to_any_of,
        require_nullable,
        single_form,
        spell_null,
        split_types,
        strip_root,
        widen_tuple,
        write_notes,
    )
}
LIMIT_STEPS: Mapping[str, LimitStep] = {
    step.__name__.replace("_", "-"): step
    for step in (fit_description, name_tool, rename_keys, within_limits)
}
"""Steps that also depend on the limits of a provider."""
