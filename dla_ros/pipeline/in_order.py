"""Results of many images, in the order of the images, with a few of them on their way."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from dla_ros.detections import Detections
from dla_ros.errors import ImageError
from dla_ros.images.array_image import Image, Load
from dla_ros.owner import Owner

Answer = TypeVar('Answer', bound=Detections | ImageError)


class ResultsInOrder(Owner, Iterator[Answer], Generic[Answer]):
    """
    Take images while results are asked for; ``ahead`` of them are taken and not given back yet.

    It belongs to one thread. An image that cannot be read is an ImageError in its place: raised,
    and the next call goes on with the next image, or returned where ``returns_errors``. Any other
    error ends it. What ``images`` raises comes after the results of those before.
    """

    def __init__(
        self,
        images: Iterable[Image | Load],
        submit: Callable[[Image | Load], 'Future[Detections]'],
        *,
        ahead: int,
        returns_errors: bool,
    ) -> None:
        """Take nothing yet."""
        self._images: Iterator[Image | Load] | None = iter(images)
        self._submit = submit
        self._ahead = ahead
        self._returns_errors = returns_errors
        self._pending: deque[Future[Detections]] = deque()
        self._failure: Exception | None = None

    def __next__(self) -> Answer:
        """Keep the slots full, and return what comes of the next image."""
        self._fill()
        if not self._pending:
            self._raise_failure()
            raise StopIteration
        try:
            # Left where it is until it is there: Ctrl-C while waiting takes no result away.
            found = self._pending[0].result()
        except ImageError as error:
            self._pending.popleft()
            if self._returns_errors:
                return error  # type: ignore[return-value]
            raise
        except Exception:
            self.close()
            raise
        self._pending.popleft()
        return found  # type: ignore[return-value]

    def close(self) -> None:
        """
        Take no more images and wait for those on their way; a second call does nothing.

        One that is dropped instead is not waited for: its images are given back as they end.
        """
        self._images = None
        wait(self._pending)
        self._pending.clear()

    def _fill(self) -> None:
        while self._images is not None and len(self._pending) < self._ahead:
            try:
                image = next(self._images)
            except StopIteration:
                self._images = None
            except Exception as error:
                self._images, self._failure = None, error
            else:
                self._pending.append(self._submit(image))

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
