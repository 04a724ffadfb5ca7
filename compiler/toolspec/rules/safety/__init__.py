"""Rules about what a call may destroy, and who is asked before."""
