"""`toolspec fmt`: the canonical form of a document, proven to be the same document."""

from toolspec.driver.formatting.documents import Formatted, format_documents, unformatted
from toolspec.driver.formatting.form import formatted
from toolspec.driver.formatting.nodes import UnprintableError

__all__ = ["Formatted", "UnprintableError", "format_documents", "formatted", "unformatted"]
