"""Content units: the short statements that a reference makes, and whether a summary states them.

`references` extracts the units of references (`extract` has the rules, `mentions` gives each thing one name), `judge`
says how far a summary states a unit, `easiness` predicts how well a machine extracts the units of a sentence, `mix`
joins units of people and of the machine by it, and `plan` says what that leaves to people. `documents` reads references
alone, `writing` keeps a plan and what people wrote by it, and `planned_mix` joins that with the machine's units.
"""

RULES_VERSION = "rules-2"
"""What signatures call the rules that cut units: a new version when any unit changes (tests/signatures holds which)."""
