"""Rules about results that come in pieces."""
