#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"

namespace tofn {

/// Line and column of a byte that a JSON parser stopped at, counted from 1 as it does.
Location place_of_byte(std::string_view text, const std::string& file, std::size_t byte);

}  // namespace tofn
