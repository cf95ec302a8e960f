"""Speed and memory, measured: `make bench`. A figure is a ratio taken in one run; nothing here is a timed test."""
