"""An engine for dla_ros that runs ONNX models in OpenCV, as an example of one."""
