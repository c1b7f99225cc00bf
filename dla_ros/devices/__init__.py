"""Where buffers live and in which order work on them is done."""
