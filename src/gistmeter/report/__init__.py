"""Results made readable: terminal tables, plain formats, and one self-contained HTML file."""
