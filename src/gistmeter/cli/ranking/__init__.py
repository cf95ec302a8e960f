"""Commands that say which systems are better: rank, compare, gate, trust."""
