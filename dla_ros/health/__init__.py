"""How a detector and its cameras do: figures of the last seconds, and findings drawn from them."""
