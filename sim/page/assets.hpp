#pragma once

#include <string_view>

/// Files that are built into the program (sim/page/embed.cmake).
namespace tofn::assets {

extern const std::string_view page;           ///< page.html: `{{style}}` and so on are replaced
extern const std::string_view style;          ///< page.css
extern const std::string_view scripts;        ///< all *.js, in the order of embed.cmake
extern const std::string_view chart_library;  ///< Chart.js; empty where it was not found
extern const std::string_view chart_licence;  ///< its licence

}  // namespace tofn::assets
