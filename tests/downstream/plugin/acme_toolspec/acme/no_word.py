"""A description uses a certain word."""

from toolspec.rules.api import Severity, ToolVisit, declare

KIND = declare(__name__, Severity.NOTE, "`{name}` uses the word {word}", "use another")
VISITS = ToolVisit
OPTIONS = {"word": {"type": "string", "description": "The word", "default": "good"}}


def check(visit, options):
    if options["word"] in visit.tool.description:
        span = visit.tool.location.at("description").value_span
        yield KIND.at(span, name=visit.tool.name, word=options["word"])
