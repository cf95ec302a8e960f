"""The page: one self-contained HTML report."""
