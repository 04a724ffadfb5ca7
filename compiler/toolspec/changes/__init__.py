"""Changes between two versions of a contract: what they are called, whom they affect, and proofs."""
