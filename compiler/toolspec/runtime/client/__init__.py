"""Runtime of generated clients."""
