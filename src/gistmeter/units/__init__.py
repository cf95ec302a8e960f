"""Content units: made from the sentences of references, and read apart."""
