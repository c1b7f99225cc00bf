"""A CUDA device: plain device memory, non-blocking streams, events, pinned host memory."""
