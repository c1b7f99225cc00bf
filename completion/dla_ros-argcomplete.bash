# Sourced with the workspace: completes the words of dla_ros where argcomplete is installed.
for _dla_ros_tool in register-python-argcomplete register-python-argcomplete3; do
  if command -v "$_dla_ros_tool" >/dev/null; then
    eval "$("$_dla_ros_tool" dla_ros)"
    break
  fi
done
unset _dla_ros_tool
