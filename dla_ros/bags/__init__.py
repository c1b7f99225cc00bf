"""Recorded bags (rosbag2, MCAP or SQLite), read and written without ROS."""
