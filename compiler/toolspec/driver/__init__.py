"""Configuration, sources, pipeline and output: the only layer that accesses the disk."""
