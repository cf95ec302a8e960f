"""What probes found, and what attacks do, as sheets."""
