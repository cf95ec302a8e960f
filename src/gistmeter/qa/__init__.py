"""Questions: asked about one text, answered on another, compared, and given to people."""
