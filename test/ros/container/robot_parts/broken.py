"""A module with a mistake at its top."""

raise ValueError('written late on a Friday')
