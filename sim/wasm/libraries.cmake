# Exceptions of WebAssembly itself cost nothing until one is thrown; those that JavaScript catches make every call
# that might throw a call through JavaScript.
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)

# A page has no processes, no ports and no accelerators.
foreach(feature MPI NCCL BLAS HTTP PYTHON)
  set(TOFN_${feature} OFF)
endforeach()
set(BUILD_TESTING OFF)

# The libraries for WebAssembly: headers as they are installed here, sources as scripts/build_wasm.sh fetched
# them of the same packages (TOFN_WASM_SOURCES: boost, fmtlib, muparser, yaml-cpp). Nothing that writes databases,
# starts threads or opens ports is among them.

set(TOFN_WASM_SOURCES "" CACHE PATH "Folder of the libraries' sources, which scripts/build_wasm.sh fills")
set(sources ${TOFN_WASM_SOURCES})
if(NOT IS_DIRECTORY "${sources}/yaml-cpp")
  message(FATAL_ERROR "TOFN_WASM_SOURCES is '${sources}', which holds no yaml-cpp: use scripts/build_wasm.sh")
endif()
set(TOFN_HOST_INCLUDE /usr/include CACHE PATH "Where the headers of Boost, Eigen, nlohmann-json and toml++ are")

# These folders alone: what else lies beside them is of this machine's C library.
set(headers ${PROJECT_BINARY_DIR}/library_headers)
file(MAKE_DIRECTORY ${headers})
foreach(folder IN ITEMS boost eigen3 nlohmann toml++)
  if(NOT IS_DIRECTORY ${TOFN_HOST_INCLUDE}/${folder})
    message(FATAL_ERROR "${TOFN_HOST_INCLUDE}/${folder} is missing: scripts/setup.sh installs it")
  endif()
  file(CREATE_LINK ${TOFN_HOST_INCLUDE}/${folder} ${headers}/${folder} SYMBOLIC)
endforeach()
set(TOMLPLUSPLUS_INCLUDE_DIR ${headers})
include_directories(SYSTEM ${headers})  # Boost.Container has headers alone

# tofn_wasm_library(<name> <alias> <headers> <source>...): warnings in it are not ours to mend.
function(tofn_wasm_library name alias include)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${include})
  target_compile_options(${name} PRIVATE -w)
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  if(NOT alias STREQUAL name)
    add_library(${alias} ALIAS ${name})
  endif()
endfunction()

file(GLOB yaml_sources ${sources}/yaml-cpp/src/*.cpp)
tofn_wasm_library(yaml-cpp yaml-cpp ${sources}/yaml-cpp/include ${yaml_sources})
tofn_wasm_library(fmt fmt::fmt ${sources}/fmtlib/include ${sources}/fmtlib/src/format.cc)
file(GLOB parser_sources ${sources}/muparser/src/*.cpp)
list(FILTER parser_sources EXCLUDE REGEX "muParser(DLL|Test)\\.cpp$")
tofn_wasm_library(muparser muparser::muparser ${sources}/muparser/include ${parser_sources})
target_compile_definitions(muparser PUBLIC MUPARSER_STATIC)
file(GLOB option_sources ${sources}/boost/libs/program_options/src/*.cpp)
list(FILTER option_sources EXCLUDE REGEX "winmain\\.cpp$")
tofn_wasm_library(program_options Boost::program_options ${headers} ${option_sources})

add_library(nlohmann_json_headers INTERFACE)
target_include_directories(nlohmann_json_headers SYSTEM INTERFACE ${headers})
add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json_headers)
add_library(eigen_headers INTERFACE)
target_include_directories(eigen_headers SYSTEM INTERFACE ${headers}/eigen3)
add_library(Eigen3::Eigen ALIAS eigen_headers)
