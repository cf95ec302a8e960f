"""The runtime: find, load, batch and run checkpoints, whatever role they play."""
