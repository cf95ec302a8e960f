"""What a study says: means by system, agreement, time, quality control by rater, and the worst disagreements."""
