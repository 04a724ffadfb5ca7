"""The user's side: a class of handlers against its service, read as text and never imported."""
