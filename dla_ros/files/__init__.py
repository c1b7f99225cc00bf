"""Files from anywhere, read within bounds; and the folders of a user."""
