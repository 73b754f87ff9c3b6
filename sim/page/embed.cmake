# Writes a C++ file that holds text files as constants of sim/page/assets.hpp.
#   cmake -DOUT=assets.cpp -DFOLDER=sim/page -DCHART_LIBRARY=chart.min.js|"" -P embed.cmake

function(add_constant name text)
  string(APPEND constants "const std::string_view ${name} = R\"~text~(${text})~text~\";\n\n")
  set(constants "${constants}" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/page.css style)
file(READ ${FOLDER}/chart-licence.txt licence)
file(GLOB charts ${FOLDER}/charts/*.js)
list(SORT charts)
set(scripts "")
foreach(file IN ITEMS ${FOLDER}/units.js ${FOLDER}/drawing.js ${FOLDER}/bars.js ${FOLDER}/tools.js
    ${FOLDER}/sweeps.js ${FOLDER}/answers.js ${charts} ${FOLDER}/page.js)
  file(READ ${file} text)
  string(APPEND scripts "${text}\n")
endforeach()
set(library "")
if(CHART_LIBRARY)
  file(READ ${CHART_LIBRARY} library)
  # What a browser's tools would look for beside the page.
  string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" library "${library}")
endif()

set(constants "")
add_constant(page "${page}")
add_constant(style "${style}")
add_constant(scripts "${scripts}")
add_constant(chart_library "${library}")
add_constant(chart_licence "${licence}")
file(WRITE ${OUT} "// Written by embed.cmake.\n#include \"sim/page/assets.hpp\"\n\n"
  "namespace tofn::assets {\n\n${constants}}  // namespace tofn::assets\n")
