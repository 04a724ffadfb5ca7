"""Importers: pure functions from foreign catalogues to spec documents, with diagnostics."""
