"""Sheets: one file for each kind of result, turned into a table and a figure."""
