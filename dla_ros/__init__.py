"""Run object detectors on an NVIDIA DLA from ROS 2."""
