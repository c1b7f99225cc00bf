"""The file that a DLA runs: a FlatBuffer with the identifier NVDA."""
