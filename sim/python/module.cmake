# The Python module: target tofn_python, the package `tofn` of sim/python/tofn with its module beside it. What is
# built is imported from build/python, what is installed (component `python`) from Debian's dist-packages.

if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  # Another Python may come first on the PATH, which sees none of the system's packages.
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that imports tofn")
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
if(Python_Development.Module_FOUND)
  find_package(pybind11 2.9 QUIET CONFIG)
endif()
if(TOFN_PYTHON STREQUAL ON AND NOT pybind11_FOUND)
  message(FATAL_ERROR "TOFN_PYTHON is ON but pybind11 and the headers of ${Python_EXECUTABLE} were not found: "
    "install pybind11-dev and python3-dev")
endif()
if(NOT pybind11_FOUND)
  return()
endif()

file(GLOB module_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
# NO_EXTRAS: no link-time optimisation; all that takes time is in libraries built without.
pybind11_add_module(tofn_python MODULE NO_EXTRAS ${module_sources})
target_link_libraries(tofn_python PRIVATE tofn_flags tofn_library)
target_link_options(tofn_python PRIVATE -Wl,--exclude-libs,ALL)
set(package ${PROJECT_BINARY_DIR}/python/tofn)
set_target_properties(tofn_python PROPERTIES OUTPUT_NAME _tofn LIBRARY_OUTPUT_DIRECTORY ${package})

file(GLOB package_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/tofn/*.py ${CMAKE_CURRENT_LIST_DIR}/tofn/*.pyi
  ${CMAKE_CURRENT_LIST_DIR}/tofn/py.typed)
file(MAKE_DIRECTORY ${package})
foreach(file IN LISTS package_files)
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
endforeach()

if(EXISTS /usr/lib/python3/dist-packages)
  set(packages_folder lib/python3/dist-packages)
else()
  set(packages_folder lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages)
endif()
set(TOFN_PYTHON_FOLDER ${packages_folder} CACHE STRING "Where Python's packages lie below the prefix")
install(TARGETS tofn_python LIBRARY DESTINATION ${TOFN_PYTHON_FOLDER}/tofn COMPONENT python OPTIONAL)
install(FILES ${package_files} DESTINATION ${TOFN_PYTHON_FOLDER}/tofn COMPONENT python)
