# `cmake --build BUILD --target package`: the .deb files, one for each component that is installed.
# A new package: its row here, and COMPONENT at what it holds.
# component | package | section | which of these it needs, of the same version | summary

set(debian_packages
  "program|tofn|science||predict how long distributed training takes on N accelerators"
  "runtime|libtofn${PROJECT_VERSION_MAJOR}|libs|tofn|library that predicts distributed training"
  "library|libtofn-dev|libdevel|libtofn${PROJECT_VERSION_MAJOR}|predicts distributed training: headers of C++"
  "python|python3-tofn|python|tofn|predicts distributed training: module of Python")
set(debian_about "It simulates a training step from the dimensions of the model, the cluster
and the parallelism plan, and grows it into a whole run: days, energy and
money, each with its interval and with what it rests on.")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tofn)
set(CPACK_PACKAGE_VENDOR tofn)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
  GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/finish_package.cmake)

# As Debian's own tools are told who makes a package.
set(TOFN_MAINTAINER "" CACHE STRING "Who makes packages, NAME <ADDRESS>; empty: DEBFULLNAME and DEBEMAIL")
set(maintainer "${TOFN_MAINTAINER}")
if(NOT maintainer AND DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
elseif(NOT maintainer)
  set(maintainer "tofn maintainers <maintainers@localhost>")
endif()
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer}")

# What only finish_package.cmake reads.
set(CPACK_TOFN_COMMIT ${git_describe})
set(CPACK_TOFN_DATE ${commit_date})
set(CPACK_TOFN_HOLDS_CHARTS "${TOFN_CHART_LIBRARY}")
set(CPACK_TOFN_PACKAGES "")

get_cmake_property(components COMPONENTS)
set(CPACK_COMPONENTS_ALL "")
foreach(row IN LISTS debian_packages)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 component)
  if(NOT component IN_LIST components)
    continue()
  endif()
  list(GET row 1 package)
  list(GET row 2 section)
  list(GET row 3 needed)
  list(GET row 4 summary)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  list(APPEND CPACK_TOFN_PACKAGES ${component} ${package})
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${summary}\n${debian_about}")
  if(needed)
    set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "${needed} (= ${PROJECT_VERSION})")
  endif()
endforeach()
# A module is of one Python's minor version.
if(Python_VERSION_MINOR)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  string(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    ", python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy")
endif()

include(CPack)
