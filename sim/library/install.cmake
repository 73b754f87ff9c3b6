# The C++ library as users have it: libtofn with the headers of sim/include alone, found by find_package(tofn)
# or pkg-config. It is built where it is asked for (target tofn_shared) and by `all`.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(GLOB library_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/library/*.cpp)
add_library(tofn_shared SHARED ${library_sources})
target_link_libraries(tofn_shared PRIVATE tofn_app)
target_compile_features(tofn_shared PUBLIC cxx_std_20)
target_include_directories(tofn_shared PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sim/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# What others link is what the public headers declare: all else stays inside.
target_link_options(tofn_shared PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(tofn_shared PROPERTIES UNITY_BUILD OFF OUTPUT_NAME tofn EXPORT_NAME tofn
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

install(TARGETS tofn_shared EXPORT tofn-targets OPTIONAL
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim/include/tofn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library)
install(EXPORT tofn-targets NAMESPACE tofn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tofn
  COMPONENT library)
file(WRITE ${PROJECT_BINARY_DIR}/tofn-config.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/tofn-targets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tofn-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tofn-config.cmake ${PROJECT_BINARY_DIR}/tofn-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tofn COMPONENT library)

# pcfiledir: the installed tree may be moved.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
file(WRITE ${PROJECT_BINARY_DIR}/tofn.pc "prefix=\${pcfiledir}/${up}
Name: tofn
Description: Predicts how long distributed training takes on N accelerators, and why
Version: ${PROJECT_VERSION}
Cflags: -std=c++20 -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
Libs: -L\${prefix}/${CMAKE_INSTALL_LIBDIR} -ltofn
")
install(FILES ${PROJECT_BINARY_DIR}/tofn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT library)
