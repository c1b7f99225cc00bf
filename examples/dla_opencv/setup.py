"""Install the example: an engine for dla_ros that runs ONNX models in OpenCV."""

from setuptools import setup

setup(
    name='dla_opencv',
    version='0.1.0',
    description='An engine for dla_ros: OpenCV.',
    license='Apache-2.0',
    maintainer='dla_ros maintainers',
    maintainer_email='maintainers@dla-ros.example.org',
    packages=['dla_opencv'],
    # dla_ros and OpenCV come from apt or pip, whichever the machine has.
    install_requires=['setuptools', 'numpy'],
    entry_points={'dla_ros.engines': ['opencv = dla_opencv.engine:OpenCvEngine']},
    zip_safe=True,
)
