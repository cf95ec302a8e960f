"""Files: how runs are read (JSONL, CSV, TSV, Parquet, aligned lines) and tables written, atomically."""
