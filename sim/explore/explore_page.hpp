#pragma once

#include <string>
#include <string_view>

namespace tofn {
inline namespace explore {

/// HTML of the page of `tofn explore`, complete in one text. `offers` lists its choices
/// (`offers_json`), and `start` is its initial state, both as JSON.
std::string explore_page(std::string_view offers, std::string_view start);

}  // namespace explore
}  // namespace tofn
