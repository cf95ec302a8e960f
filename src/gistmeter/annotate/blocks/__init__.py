"""Blocks of one task or two, beside those in `forms` that many share: marks in a text, phrases, answers, units."""
