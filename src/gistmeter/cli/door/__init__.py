"""The door of every command: what is checked before it runs, and what may come out to the terminal."""
