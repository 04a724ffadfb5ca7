"""`toolspec fmt`: formats documents and proves that their values do not change."""

from toolspec.driver.formatting.documents import FormatResult, format_documents, unformatted
from toolspec.driver.formatting.form import formatted
from toolspec.driver.formatting.nodes import UnprintableError

__all__ = ["FormatResult", "UnprintableError", "format_documents", "formatted", "unformatted"]
