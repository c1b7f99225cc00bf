"""Outputs of networks into boxes on the GPU, so that only candidates reach the CPU."""
