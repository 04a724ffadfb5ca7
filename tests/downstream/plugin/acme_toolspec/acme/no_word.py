"""No description uses a certain word.

The word says nothing to a reader.

Reported:
    name: listOrders
    description: List the good orders.

Accepted:
    name: listOrders
    description: List the paid orders.
"""

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

KIND = declare(__name__, __doc__, Severity.NOTE, "`{name}` uses the word {word}", "use another")
VISITS = ToolVisit
OPTIONS = {"word": {"type": "string", "description": "The word", "default": "good"}}


def check(visit, options):
    if options["word"] in visit.tool.description:
        span = visit.tool.place.at("description").value_span
        yield KIND.at(span, name=visit.tool.name, word=options["word"])
