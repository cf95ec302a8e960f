"""The answering role: where in a text the answer to a question stands, or that it stands nowhere."""
