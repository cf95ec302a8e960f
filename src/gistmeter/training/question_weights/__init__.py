"""Training of the weights of questions (QuestEval)."""
