"""The command ``dla_ros``: the same parts without a ROS graph."""
