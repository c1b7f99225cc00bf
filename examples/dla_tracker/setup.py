"""Install the example as an ament_python package."""

from setuptools import setup

NAME = 'dla_tracker'

setup(
    name=NAME,
    version='0.1.0',
    description='Track what dla_ros detects.',
    license='Apache-2.0',
    maintainer='dla_ros maintainers',
    maintainer_email='maintainers@dla-ros.example.org',
    packages=[NAME],
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (
            'share/ament_index/resource_index/rclcpp_components',
            [f'resource/rclcpp_components/{NAME}'],
        ),
        (f'share/{NAME}', ['package.xml']),
        (f'share/{NAME}/launch', ['launch/perception.launch.py']),
    ],
    install_requires=['setuptools', 'numpy'],
    entry_points={'console_scripts': ['tracker_node = dla_tracker.tracker_node:main']},
    zip_safe=True,
)
