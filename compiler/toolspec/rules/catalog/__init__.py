"""Rules that compare tools and services."""
