"""People and things: gender, number and kin of words, and what a mention says of what it stands for."""
