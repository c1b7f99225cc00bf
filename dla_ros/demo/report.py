"""The table at the end of the demo."""

from collections import Counter
from collections.abc import Mapping, Sequence

from dla_ros.detections import Detections
import numpy as np
from rich.table import Table

_ROWS = {
    'preprocess': 'preprocess',
    'inference': 'inference',
    'postprocess': 'postprocess',
    'processing_time': 'pipeline (image in, detections out)',
}


def frames_table(figures: Mapping[str, object], detected: str) -> Table:
    """Show what became of the frames, and which device did the work."""
    table = Table(title='dla_ros demo', show_header=False)
    for name, value in figures.items():
        table.add_row(name, str(value))
    table.add_row('detections', detected)
    return table


def latency_table(latencies: Mapping[str, Sequence[float]]) -> Table:
    """Show the percentiles of each stage in milliseconds."""
    table = Table('milliseconds', title='latency')
    for name in ('p50', 'p95', 'p99'):
        table.add_column(name, justify='right')
    for name, words in _ROWS.items():
        if latencies[name]:
            figures = np.percentile(latencies[name], (50, 95, 99))
            table.add_row(words, *(f'{value:.2f}' for value in figures))
    return table


def by_class(found: Mapping[int, Detections], labels: Sequence[str]) -> str:
    """Count detections by class, most first: ``person 218, car 40``."""
    counts = Counter(int(index) for boxes in found.values() for index in boxes.class_ids)
    return ', '.join(f'{labels[i]} {count}' for i, count in counts.most_common()) or 'none'
