"""Tables for papers: LaTeX that compiles as printed and fits a column."""
