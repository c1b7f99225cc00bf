"""What runs a network: a DLA through cuDLA, or ONNX Runtime."""
