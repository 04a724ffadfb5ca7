"""The smallest service that no rule has anything against."""

SPEC = """toolspec: 1
service:
  name: demo
  version: 1.0.0
  description: A demo service.
tools:
  - name: ping
    description: Answer a call with the time at which the service started.
    mutation: false
    outputSchema: {type: string}
"""
