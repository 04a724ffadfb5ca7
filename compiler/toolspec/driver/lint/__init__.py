"""Lint settings of a project: rules, severities, suppressions."""
