"""Pictures into a network's input by one CUDA kernel, to the bit what the CPU makes of them."""
