"""Groups of summaries, by language, subset or type of system: the parts of a study, and one question of each."""
