"""Run a network on a DLA through cuDLA, hybrid mode."""
