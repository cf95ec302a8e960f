"""The training loops: resumable ones on the encoder, and one for small networks."""
