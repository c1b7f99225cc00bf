"""ONNX models as files."""
