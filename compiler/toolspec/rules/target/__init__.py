"""Rules about the limits of providers and clients."""
