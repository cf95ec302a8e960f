"""Planning: power, coverage of intervals, stability of rankings, and how much must be judged."""
