# Let rosidl generators that came as Python wheels build interfaces.
# On a ROS that is not made of wheels nothing here has an effect.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.prefix)"
  OUTPUT_VARIABLE wheel_prefix
  OUTPUT_STRIP_TRAILING_WHITESPACE)

# ament looks for the typesupport generators in this variable only.
if("$ENV{AMENT_PREFIX_PATH}" STREQUAL "")
  set(ENV{AMENT_PREFIX_PATH} "${wheel_prefix}")
endif()
list(APPEND CMAKE_PREFIX_PATH "${wheel_prefix}")

# The exported targets name include folders of the machine that built the wheels;
# CMake refuses a target whose include folder is missing.
function(drop_missing_include_folders)
  get_directory_property(targets IMPORTED_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(NOT folders)
      continue()
    endif()
    set(present)
    foreach(folder IN LISTS folders)
      if(folder MATCHES "^\\$<" OR EXISTS "${folder}")
        list(APPEND present "${folder}")
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${present}")
  endforeach()
endfunction()
cmake_language(DEFER CALL drop_missing_include_folders)
