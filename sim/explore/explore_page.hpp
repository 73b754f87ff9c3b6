#pragma once

#include <string>
#include <string_view>

namespace tofn {
inline namespace explore {

/// The page of `tofn explore`, whole in one text: `offers` is what it lets choose (`offers_json`),
/// `start` the state that it begins with, JSON too.
std::string explore_page(std::string_view offers, std::string_view start);

}  // namespace explore
}  // namespace tofn
