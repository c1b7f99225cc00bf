"""Images taken from rclpy where they are: in the memory that DDS unpacked them into."""
