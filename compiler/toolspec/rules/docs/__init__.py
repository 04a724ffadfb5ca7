"""Rules about what a model and a person read."""
