"""Show the whole chain: a bag in, boxes out, in real processes over DDS."""

import os
from pathlib import Path
import shutil
import sys

from rich.console import Console

from dla_ros.bags.read import read_images
from dla_ros.demo.options import parse, profile
from dla_ros.demo.pictures import annotate, write_pictures
from dla_ros.demo.report import by_class, frames_table, latency_table
from dla_ros.demo.run import run_detector
from dla_ros.cv_image import to_bgr
from dla_ros.emulator.build import emulate
from dla_ros.errors import DlaRosError
from dla_ros.record.record import DeploymentRecord


def main(arguments: list[str]) -> int:
    """Run the demo; give the exit code."""
    options, console = parse(arguments), Console()
    os.environ.update(dds_environment(profile()))
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    try:
        show(options, console)
    except DlaRosError as err:
        console.print(f'[red]the demo failed:[/red] {err}', highlight=False)
        return 1
    return 0


def show(options, console: Console) -> None:
    """Build the loadable, run the detector over the bag, and show what came out."""
    console.print(f'building an emulated DLA loadable of {options.model.name} ...')
    engine = options.out / f'{options.model.stem}.dla'
    emulate(options.model, engine, input_format=options.input_format,
            output_format=options.output_format)  # fmt: skip
    labels = DeploymentRecord.read(Path(f'{engine}.yaml')).labels
    seen = run_detector(options.bag, engine, options.out, rate=options.rate, console=console)
    pictures = annotate(_images(options.bag), seen.detections, labels)
    sheet = write_pictures(pictures, options.out)
    console.print(frames_table(seen.figures, by_class(seen.detections, labels)))
    console.print(latency_table(seen.latencies))
    console.print(f'detections  {seen.bag}', soft_wrap=True, highlight=False)
    console.print(f'pictures    {sheet.parent / "frames"} ({len(pictures)})', soft_wrap=True)
    console.print(f'all at once {sheet}', soft_wrap=True, highlight=False)


def dds_environment(profile_path: Path) -> dict[str, str]:
    """Give the environment that lets images through and keeps the demo on this machine."""
    return {
        'FASTDDS_DEFAULT_PROFILES_FILE': str(profile_path),
        'FASTRTPS_DEFAULT_PROFILES_FILE': str(profile_path),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
    }


def _images(bag: Path) -> dict:
    return {image.stamp_ns: to_bgr(image.view) for image in read_images(bag)}


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
