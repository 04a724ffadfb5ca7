"""Answers without handlers: from a service's examples, else made from its schemas by seed."""
