"""The only floor that touches a disk: configuration, sources, the pipeline, and what is written."""
