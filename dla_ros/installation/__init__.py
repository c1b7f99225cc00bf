"""What is installed where: libraries, the command, the share folder."""
