"""Frames on their way through preprocessing, the network and its head, several in flight."""
