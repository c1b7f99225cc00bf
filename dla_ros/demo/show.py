"""The whole chain: a bag in, boxes out, in real processes over DDS."""

import argparse
from pathlib import Path

from dla_ros.bags.read import read_images
from dla_ros.demo.pictures import annotate, Picture, write_pictures
from dla_ros.demo.report import by_class, frames_table, latency_table
from dla_ros.demo.run import run_detector
from dla_ros.emulator.build import emulate
from dla_ros.preprocess.bgr import to_bgr
from dla_ros.record.record import DeploymentRecord, record_path
from rich.console import Console


def show(options: argparse.Namespace, console: Console) -> None:
    """Build the loadable, run the detector over the bag, and show what came out."""
    console.print(f'building an emulated DLA loadable of {options.model.name} ...')
    engine = options.out / f'{options.model.stem}.dla'
    emulate(options.model, engine, input_format=options.input_format,
            output_format=options.output_format)  # fmt: skip
    labels = DeploymentRecord.read(record_path(engine)).labels
    seen = run_detector(options.bag, engine, options.out, rate=options.rate, console=console)
    pictures = annotate(_images(options.bag), seen.detections, labels)
    sheet = write_pictures(pictures, options.out)
    console.print(frames_table(seen.figures, by_class(seen.detections, labels)))
    console.print(latency_table(seen.latencies))
    for name, value in {
        'detections': seen.bag,
        'pictures': f'{sheet.parent / "frames"} ({len(pictures)})',
        'all at once': sheet,
    }.items():
        console.print(f'{name:<12}{value}', soft_wrap=True, highlight=False)


def _images(bag: Path) -> dict[int, Picture]:
    return {image.stamp_ns: to_bgr(image.view) for image in read_images(bag)}
