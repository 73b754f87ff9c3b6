# Writes a C++ file that holds a YAML file as one text, `tofn::assets::NAME`.
#   cmake -DOUT=terms_asset.cpp -DFILE=sim/glossary/terms.yaml -DNAME=terms -P embed.cmake

file(READ ${FILE} text)
file(WRITE ${OUT} "// Written by embed.cmake.\n#include <string_view>\n\nnamespace tofn::assets {\n"
  "extern const std::string_view ${NAME};\n"
  "const std::string_view ${NAME} = R\"~text~(${text})~text~\";\n}  // namespace tofn::assets\n")
