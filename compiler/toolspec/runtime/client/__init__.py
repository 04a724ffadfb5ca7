"""Runtime of generated clients: approval, retries, and synchronous calls."""
