"""Many rclpy nodes in one process, loaded and unloaded while it runs."""
