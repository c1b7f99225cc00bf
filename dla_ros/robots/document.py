"""A robot file as YAML, with the line of every key."""

from dla_ros.errors import RobotError
from dla_ros.record.document import Document


class RobotDocument(Document):
    """Refuse as a robot file does, not as a record."""

    noun = 'robot file'
    error = RobotError
