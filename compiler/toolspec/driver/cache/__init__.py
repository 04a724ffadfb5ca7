"""Data that a compile keeps for the next one: units, diagnostics, fingerprints of files, help pages."""
