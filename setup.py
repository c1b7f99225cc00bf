"""Install dla_ros: by colcon as an ament_python package, or by pip without any ROS."""

from pathlib import Path
import sys

from setuptools import find_packages, setup

PACKAGE = 'dla_ros'
SHARED_FOLDERS = ('launch', 'config', 'models')


def data_files():
    """List what goes to share/ and bin/, folder by folder."""
    index, share = Path('share/ament_index/resource_index'), Path('share') / PACKAGE
    yield str(index / 'packages'), [f'resource/{PACKAGE}']
    yield str(index / 'rclcpp_components'), [f'resource/rclcpp_components/{PACKAGE}']
    yield str(share), ['package.xml']
    yield str(share / 'environment'), ['completion/dla_ros-argcomplete.bash']
    # pip makes a script of this name itself
    if not any(word.endswith('_wheel') for word in sys.argv):
        yield 'bin', ['bin/dla_ros']
    for top in SHARED_FOLDERS:
        for folder in sorted(Path(top).glob('**/')):
            files = [str(path) for path in sorted(folder.glob('*')) if path.is_file()]
            if files and folder.name != '__pycache__':
                yield str(share / folder), files


setup(
    name=PACKAGE,
    version='0.1.0',
    description='Run object detectors on an NVIDIA DLA from ROS 2.',
    license='Apache-2.0',
    maintainer='dla_ros maintainers',
    maintainer_email='maintainers@dla-ros.example.org',
    packages=find_packages(include=[PACKAGE, f'{PACKAGE}.*']),
    package_data={'': ['*.c', '*.cu', '*.cuh', '*.h', '*.json', 'py.typed']},
    data_files=list(data_files()),
    python_requires='>=3.10',
    # ROS comes from apt or from requirements/ros-*.txt, never from here.
    install_requires=['setuptools', 'numpy>=1.26', 'PyYAML>=6.0.1'],
    extras_require={
        'dla': ['cuda-bindings>=13.3,<14', 'nvidia-cuda-nvrtc>=13,<14'],
        'cuda': ['cuda-bindings>=13.3,<14', 'nvidia-cuda-nvrtc>=13,<14'],
        'cupy': ['cupy-cuda13x'],
        'onnx': ['onnx>=1.16', 'onnxruntime>=1.18', 'flatbuffers>=24.3'],
        'bags': ['rosbags>=0.11.7'],
        'opencv': ['opencv-python-headless>=4.6,<6'],
        'cli': ['rich>=13'],
        'test': ['pytest', 'pytest-timeout', 'hypothesis', 'psutil'],
    },
    entry_points={
        'console_scripts': [
            'bag_player = dla_ros.ros.bag_player_main:main',
            'bag_recorder = dla_ros.ros.bag_recorder_main:main',
            'bring_up = dla_ros.ros.bring_up_main:main',
            'component_container = dla_ros.ros.container_main:main',
            'detector_node = dla_ros.ros.detector_main:main',
            'dla_ros = dla_ros.cli.main:main',
        ],
        'ros2cli.command': ['dla = dla_ros.cli.ros2:DlaCommand'],
    },
    zip_safe=True,
)
