# Writes a C++ file that holds the page of `tofn explore` as one text.
#   cmake -DOUT=explore_asset.cpp -DFOLDER=sim/explore -P embed.cmake

file(READ ${FOLDER}/explore.html page)
file(READ ${FOLDER}/explore.css style)
set(scripts "")
# What reports draw with too lies in sim/page.
foreach(name IN ITEMS ../page/units carrier packing ../page/drawing picker scenario curve ../page/bars figures controls timeline
    cheapest takeaway explore)
  file(READ ${FOLDER}/${name}.js text)
  string(APPEND scripts "${text}\n")
endforeach()
string(REPLACE "{{style}}" "${style}" page "${page}")
string(REPLACE "{{scripts}}" "${scripts}" page "${page}")
file(WRITE ${OUT} "// Written by embed.cmake.\n#include <string_view>\n\nnamespace tofn::assets {\n"
  "extern const std::string_view explore_page;\n"
  "const std::string_view explore_page = R\"~text~(${page})~text~\";\n}  // namespace tofn::assets\n")
