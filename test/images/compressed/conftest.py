"""A decoder that counts what it is asked to decode."""

import cv2
import pytest


@pytest.fixture
def decoded(monkeypatch):
    """Give the list of the bytes that reach OpenCV's decoder."""
    given, imdecode = [], cv2.imdecode

    def count(data, flags):
        given.append(data.tobytes())
        return imdecode(data, flags)

    monkeypatch.setattr(cv2, 'imdecode', count)
    return given
