"""A camera's figures by name, as diagnostics show them."""

from dla_ros.health.judge import CameraState
from dla_ros.health.limits import Limits


def figures(state: CameraState, limits: Limits) -> dict[str, object]:
    """Return what is known; what is not known yet is left out."""
    found: dict[str, object] = {'publishers': ', '.join(state.hearing.heard) or 'none that fits'}
    if limits.expected_rate:
        found['expected rate (Hz)'] = f'{limits.expected_rate:g}'
    if state.flow is not None:
        found['rate in (Hz)'] = f'{state.flow.rate_in:.1f}'
        found['rate out (Hz)'] = f'{state.flow.rate_out:.1f}'
        found['loss (%)'] = f'{100 * state.flow.loss:.1f}'
    for name, age_s in (('image', state.image_age_s), ('detections', state.detection_age_s)):
        if age_s is not None:
            found[f'age of last {name} (s)'] = f'{age_s:.1f}'
    times = {'processing time': state.processing_ms, 'pipeline latency': state.latency_ms}
    for name, percentiles in times.items():
        for p, value in zip(('p50', 'p99'), percentiles or (), strict=False):
            found[f'{name} {p} (ms)'] = f'{value:.1f}'
    return found
