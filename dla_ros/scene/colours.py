"""The colours of a scene: corners of the RGB cube, which a linear form tells apart."""

RGB = tuple[int, int, int]

# In grey pictures only white stays what it is; the others become greys that are no class.
CLASSES: dict[str, RGB] = {
    'red': (255, 0, 0),
    'green': (0, 255, 0),
    'blue': (0, 0, 255),
    'white': (255, 255, 255),
}

# Things that must not be found. Yellow is not among them: as grey it is nearly white.
DISTRACTORS: dict[str, RGB] = {
    'cyan': (0, 255, 255),
    'magenta': (255, 0, 255),
}


def is_seen_in_grey(label: str) -> bool:
    """Tell whether a class can be told in a picture without colour."""
    return label == 'white'
