"""Stand in for a CUDA device on any machine: NumPy memory, worker threads as streams."""
