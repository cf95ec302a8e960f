"""English analysis without torch: parses, phrases, people, coreference, roles, trees, discourse units."""
