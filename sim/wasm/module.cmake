# The program for pages, target tofn_wasm: tofn-inside.js and .wasm, which holds configs/; and the page with it inside,
# one file, target tofn_wasm_page.

add_executable(tofn_wasm ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
target_link_libraries(tofn_wasm PRIVATE tofn_app)
set_target_properties(tofn_wasm PROPERTIES OUTPUT_NAME tofn-inside UNITY_BUILD OFF)
file(GLOB folders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/*)
foreach(folder IN LISTS folders)
  if(IS_DIRECTORY ${folder})
    get_filename_component(name ${folder} NAME)
    target_link_options(tofn_wasm PRIVATE "SHELL:--embed-file ${folder}@/configs/${name}")
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
    set_property(TARGET tofn_wasm APPEND PROPERTY LINK_DEPENDS ${files})
  endif()
endforeach()
target_link_options(tofn_wasm PRIVATE --no-entry -sMODULARIZE=1 -sEXPORT_NAME=tofnProgram
  -sENVIRONMENT=worker,node -sEXPORTED_FUNCTIONS=_tofn_answer,_tofn_page -sEXPORTED_RUNTIME_METHODS=ccall
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=4MB)

set(page ${PROJECT_BINARY_DIR}/tofn-explore.html)
add_custom_command(OUTPUT ${page}
  COMMAND node ${CMAKE_CURRENT_LIST_DIR}/join.mjs $<TARGET_FILE:tofn_wasm> ${PROJECT_BINARY_DIR}/tofn-inside.wasm ${page}
  DEPENDS tofn_wasm ${CMAKE_CURRENT_LIST_DIR}/join.mjs ${CMAKE_CURRENT_LIST_DIR}/inside.js
    ${CMAKE_CURRENT_LIST_DIR}/worker.js VERBATIM)
add_custom_target(tofn_wasm_page DEPENDS ${page})
