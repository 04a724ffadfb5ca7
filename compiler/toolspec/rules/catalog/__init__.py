"""Rules about tools and services beside each other."""
