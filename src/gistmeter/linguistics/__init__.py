"""English analysis without torch.

`parser` parses texts (spaCy), `phrases` finds the phrases that questions ask for, `people` knows gender, kin and number
of words, `coreference` which mentions are of the same person or thing, `roles` what each verb says of whom, `trees` the
phrase structure, `edus` the elementary discourse units.
"""
