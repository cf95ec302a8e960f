"""The command line: one file per command, each a page that parses, calls the API and renders. No logic."""
