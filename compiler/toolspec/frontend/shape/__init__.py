"""Whether a document has the shape of the language, and what to say where it has not."""

from toolspec.frontend.shape.contract import Form
from toolspec.frontend.shape.document import check, fragment_form, lies_in, review

__all__ = ["Form", "check", "fragment_form", "lies_in", "review"]
