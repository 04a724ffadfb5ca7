"""A service of one tool, up to the schema of its arguments."""

HEAD = """toolspec: 1
service: {name: demo, description: A demo service of some size.}
tools:
  - name: ping
    description: Answer a call with whatever there is.
    mutation: false
    outputSchema: {type: string, description: What came of it.}
    inputSchema:
"""
