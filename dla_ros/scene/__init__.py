"""Pictures whose content is known to the pixel, and a network that finds it."""
