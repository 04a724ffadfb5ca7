"""`toolspec fmt`: the canonical form of a document, proven to be the same document."""

from toolspec.driver.formatting.documents import Formatted, format_documents, unformatted
from toolspec.driver.formatting.form import formatted

__all__ = ["Formatted", "format_documents", "formatted", "unformatted"]
