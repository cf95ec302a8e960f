"""FFCI: faithfulness, focus, coverage and coherence (Koto, Baldwin and Lau, 2022)."""
