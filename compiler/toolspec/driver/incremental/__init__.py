"""What makes a compile incremental: the folder `.toolspec-cache/`."""
