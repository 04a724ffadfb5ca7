"""A text contains a marker of a chat template."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "this text contains `{mark}`, which models read as a change of speaker",
    "delete the marker",
)
VISITS = DocumentVisit
_MARK = re.compile(
    r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>"
    r"|\[/?INST\]|<</?SYS>>|<start_of_turn>|<end_of_turn>|</?function_calls>|<\|begin_of_text\|>"
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with a marker of a chat template."""
    for text in visit.texts(_MARK.pattern):
        if match := _MARK.search(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), mark=match[0])
