"""Basic elements: heads, modifiers and relations of a parse, shared with references."""
