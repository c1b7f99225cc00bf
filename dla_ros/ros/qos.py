"""QoS profiles by the names that isaac_ros_common gives them, and rclpy's own."""

from rclpy.qos import QoSDurabilityPolicy, QoSPresetProfiles, QoSProfile

LATCHED = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)


def to_qos(name: str, depth: int) -> QoSProfile:
    """Give a fresh profile of this name with this queue depth; KeyError for an unknown name."""
    preset = QoSPresetProfiles[name].value
    profile = QoSProfile(depth=depth, history=preset.history)
    profile.reliability = preset.reliability
    profile.durability = preset.durability
    profile.history = QoSPresetProfiles.SENSOR_DATA.value.history  # keep last: depth must count
    return profile
