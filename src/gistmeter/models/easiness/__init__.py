"""The easiness role: how well a machine can cut a sentence into content units."""
