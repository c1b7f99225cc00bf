"""Messages handed over between the nodes of one process, without a copy."""
