"""What an engine refuses reaches the listener as the error that it was, with its parts."""

from dla_ros.errors import DlaError, EngineError
import pytest

GENEROUS_S = 20.0


def test_what_the_engine_knows_of_a_broken_stream_is_the_error_that_is_told(
    open_pipeline, engine, frame, listener
):
    def fail(number):
        raise OSError('bus error')

    engine.during = fail
    engine.known = DlaError(
        'timed out', call='get_last_error', status=0x40000006, name='DLA_ENGINE_TIMEOUT',
        meaning='a task did not end',
    )  # fmt: skip
    pipeline = open_pipeline()
    pipeline.offer(frame(0))
    assert listener.failed.wait(GENEROUS_S)
    (error,) = listener.failures
    assert isinstance(error, DlaError)
    assert error.details == engine.known.details
    assert str(error).startswith('the pixel engine: ')
    assert 'bus error' in str(error)


class ChipError(EngineError):
    def __init__(self, text, register):
        super().__init__(text)
        self.register = register


class OddError(EngineError):
    def __new__(cls, *, text):
        return super().__new__(cls)

    def __init__(self, *, text):
        self.text = text

    def __str__(self):
        return self.text


@pytest.mark.parametrize(
    ('refusal', 'kind', 'parts'),
    [
        (ChipError('hot', 3), ChipError, {'register': 3}),
        (OddError(text='hot'), EngineError, {}),  # cannot be copied
    ],
)
def test_an_error_of_another_engine_keeps_its_type_and_parts(
    open_pipeline, engine, frame, listener, refusal, kind, parts
):
    engine.refuse_at, engine.refusal = 0, refusal
    pipeline = open_pipeline()
    pipeline.offer(frame(0))
    assert listener.failed.wait(GENEROUS_S)
    (error,) = listener.failures
    assert type(error) is kind
    assert vars(error) == parts
    assert str(error) == 'the pixel engine: hot'
