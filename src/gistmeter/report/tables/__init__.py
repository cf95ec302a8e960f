"""Tables: rankings and other results as rows of cells, written as text, Markdown, LaTeX or JSON."""
