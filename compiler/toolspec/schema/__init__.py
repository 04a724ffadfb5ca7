"""JSON Schema as the type language: dialects, references, validity, complexity, patterns, values.

`read_resource` reads one schema and checks it alone; `check_complexity` and `check_nested_defaults`
check all schemas of a service together; a `Bundler` makes each self-contained; `check_bundle` runs the
checks that need all referenced schemas; an `InstanceValidator` validates values.
"""

from toolspec.schema.bundle import Bundle, Bundler, Key, Link, LinkedSchema, numbered
from toolspec.schema.checks import check_bundle, check_complexity, needs_too_many
from toolspec.schema.containment import Prover
from toolspec.schema.diagnostics import diagnostic_at, shown
from toolspec.schema.instances import Budget, InstanceValidator, Problem
from toolspec.schema.nested_defaults import check_nested_defaults
from toolspec.schema.reading import read_resource
from toolspec.schema.resource import Reference, Resource
from toolspec.schema.walk import find, subschemas

__all__ = [
    "Budget",
    "Bundle",
    "Bundler",
    "InstanceValidator",
    "Key",
    "Link",
    "LinkedSchema",
    "Problem",
    "Prover",
    "Reference",
    "Resource",
    "check_bundle",
    "check_complexity",
    "check_nested_defaults",
    "diagnostic_at",
    "find",
    "needs_too_many",
    "numbered",
    "read_resource",
    "shown",
    "subschemas",
]
