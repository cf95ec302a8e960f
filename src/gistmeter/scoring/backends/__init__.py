"""Who scores the batches of a run: this process, several processes, or a Ray cluster. Results come back in order."""
