"""The bag's frames with their boxes, one picture each and a sheet of all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
from dla_ros.detections import Detections
from dla_ros.images.drawing import draw
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

_COLUMNS = 4
_ROWS = 3
_SHEET_WIDTH = 1600


def annotate(
    images: Mapping[int, Picture], found: Mapping[int, Detections], labels: Sequence[str]
) -> dict[int, Picture]:
    """Draw the boxes of each stamp on its picture; a frame without an answer is left out."""
    stamps = [stamp for stamp in images if stamp in found]
    return {stamp: draw(images[stamp], found[stamp], labels) for stamp in stamps}


def contact_sheet(pictures: Sequence[Picture]) -> Picture:
    """Put evenly chosen pictures on one sheet, 4 by 3, in reading order."""
    count = min(len(pictures), _COLUMNS * _ROWS)
    chosen = [pictures[i] for i in np.linspace(0, len(pictures) - 1, count).astype(int)]
    tiles = [_tile(picture) for picture in chosen]
    blank = np.zeros_like(tiles[0])
    rows = [tiles[i : i + _COLUMNS] for i in range(0, len(tiles), _COLUMNS)]
    return np.vstack([np.hstack(row + [blank] * (_COLUMNS - len(row))) for row in rows])


def write_pictures(pictures: Mapping[int, Picture], folder: Path) -> Path:
    """Write each picture as FOLDER/frames/NNN.png and the sheet; give the sheet's path."""
    frames = folder / 'frames'
    frames.mkdir(parents=True, exist_ok=True)
    for number, (_, picture) in enumerate(sorted(pictures.items())):
        _write(frames / f'{number:03d}.png', picture)
    sheet = folder / 'contact_sheet.png'
    _write(sheet, contact_sheet([picture for _, picture in sorted(pictures.items())]))
    return sheet


def _tile(picture: Picture) -> Any:
    width = _SHEET_WIDTH // _COLUMNS
    height = round(picture.shape[0] * width / picture.shape[1])
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)


def _write(path: Path, picture: Picture) -> None:
    if not cv2.imwrite(str(path), picture):
        raise OSError(f'could not write {path}')
