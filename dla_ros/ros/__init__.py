"""The only room that knows rclpy and message packages."""
