"""Images: what they are, by which encodings, decoded, and drawn upon."""
