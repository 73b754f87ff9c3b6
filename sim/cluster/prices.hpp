#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace cluster {

/// Terms of rent: for any time, for one or three years in advance, or until somebody pays more.
enum class PriceTerm { OnDemand, Reserved1y, Reserved3y, Spot };
inline constexpr std::array<std::pair<std::string_view, PriceTerm>, 4> price_terms{{
    {"on_demand", PriceTerm::OnDemand},
    {"reserved_1y", PriceTerm::Reserved1y},
    {"reserved_3y", PriceTerm::Reserved3y},
    {"spot", PriceTerm::Spot},
}};

/// US dollars per accelerator-hour, by term; absent if unknown.
using Prices = std::array<std::optional<Sourced<double>>, price_terms.size()>;

/// Reads `6.88 USD/h` or `$6.88/h`; absent if the text is no such price or not above 0.
std::optional<double> parse_price(std::string_view text);

}  // namespace cluster
}  // namespace tofn
