#pragma once

#include <string_view>

/// Files that are built into the program (sim/page/embed.cmake).
namespace tofn::assets {

extern const std::string_view page;           ///< page.html, with marks such as `{{style}}` to
                                              ///< replace
extern const std::string_view style;          ///< page.css
extern const std::string_view scripts;        ///< all *.js, in the order of embed.cmake
extern const std::string_view chart_library;  ///< Chart.js; empty if it was not found
extern const std::string_view chart_licence;  ///< licence of Chart.js

}  // namespace tofn::assets
