"""What compiles keep for the next one: units, diagnostics, fingerprints of files, help pages."""
