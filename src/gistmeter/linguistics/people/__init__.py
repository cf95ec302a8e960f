"""People: gender, kin and number of English words.

`words` has the lists of nouns, names, titles and pronouns, `attributes` what a word of a parsed sentence says by them.
"""
