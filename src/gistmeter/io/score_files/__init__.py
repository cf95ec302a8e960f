"""What files of scores say beside their tables: the files they were computed from, and the names of their columns."""
