"""Rules about what providers and clients take, and what they lose."""
