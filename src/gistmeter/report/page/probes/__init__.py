"""The page of probes: what metrics like, the slope charts, the attacks and the verdicts."""
