"""The masked-words role: which word stands under a mask."""
