"""How a network's numbers become boxes: one file per family of networks."""
