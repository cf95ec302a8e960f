"""Text: words, sentences, stems, stop words and languages. Knows nothing of metrics."""
