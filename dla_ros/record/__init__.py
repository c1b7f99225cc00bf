"""What is known of a network: NAME.yaml beside the file NAME that runs."""
