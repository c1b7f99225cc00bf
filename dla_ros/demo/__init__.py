"""What ``make demo`` shows: the whole chain in real processes, on any laptop."""
