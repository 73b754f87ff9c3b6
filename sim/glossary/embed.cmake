# Writes a C++ file that holds terms.yaml as one text.
#   cmake -DOUT=terms_asset.cpp -DFOLDER=sim/glossary -P embed.cmake

file(READ ${FOLDER}/terms.yaml terms)
file(WRITE ${OUT} "// Written by embed.cmake.\n#include <string_view>\n\nnamespace tofn::assets {\n"
  "extern const std::string_view terms;\n"
  "const std::string_view terms = R\"~text~(${terms})~text~\";\n}  // namespace tofn::assets\n")
