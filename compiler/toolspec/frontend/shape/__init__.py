"""Validates the shape of documents, and explains errors."""

from toolspec.frontend.shape.contract import Form
from toolspec.frontend.shape.document import check, fragment_form, lies_in, review

__all__ = ["Form", "check", "fragment_form", "lies_in", "review"]
