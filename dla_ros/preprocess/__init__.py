"""Pictures into the input of a network, in its own type and layout."""
