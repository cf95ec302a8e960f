"""What people gave, in files of a shape of their own."""
