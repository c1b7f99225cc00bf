"""How the numbers of a network lie in memory."""
