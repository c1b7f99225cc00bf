"""OpenCV's own threads, which cost more than they give here."""

import cv2


def use_one_thread() -> None:
    """
    Let OpenCV compute on the calling thread only, in the whole process.

    Its workers spin while they wait for more work. Pictures of a network's size are too small to
    gain: the same work, about the same time, up to twice the CPU (docs/decisions.md, "One OpenCV
    thread"). It is a setting of the process, so whoever owns that calls it, at start-up.
    """
    cv2.setNumThreads(1)
