"""What is wrong with a picture before anything of it is decoded."""


class FlawError(ValueError):
    """Say what is wrong, to stand behind the picture's name: ``is cut off: ...``."""


def check_pixels(height: int, width: int, max_pixels: int) -> None:
    """Raise FlawError for a picture without pixels, or with more than may be decoded."""
    if height < 1 or width < 1:
        raise FlawError(f'is broken: its height is {height}, its width {width}')
    if height * width > max_pixels:
        raise FlawError(
            f'has height {height}, width {width}: {height * width} pixels, and at most '
            f'{max_pixels} are decoded; if it is meant to be so large, raise max_image_pixels'
        )
