"""Importers: pure functions from foreign catalogs to spec documents, with diagnostics."""
