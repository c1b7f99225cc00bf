"""An example: follow objects from frame to frame, in the detector's process."""
