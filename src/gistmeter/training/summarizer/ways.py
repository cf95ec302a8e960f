"""The ways to augment examples (Deutsch, 2022, section 6.4)."""

from typing import Literal

Augmentation = Literal["sentences", "prefixes"]
"""Drop reference sentences to which no span maps; add the first k sentences with the spans that map to them, all k."""
