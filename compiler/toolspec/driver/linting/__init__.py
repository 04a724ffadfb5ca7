"""What a project says about its findings: which rules run, what they weigh, what may stand."""
