"""The multilingual Universal Sentence Encoder (numpy alone): tokens with positions, and the states it gives them."""
