"""Which detectors a robot runs: one file a robot, read and checked without ROS."""
