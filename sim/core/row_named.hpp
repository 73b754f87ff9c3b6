#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {

/// Row of a table whose `name` is `name`. InputError at `place` with all names if there is none;
/// `what` is the word for such a row.
template <class Rows>
const auto& row_named(const Rows& rows, std::string_view what, std::string_view name,
                      const Location& place = {}, std::string_view key = {}) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw InputError(place, key, unknown_name(what, name, names));
}

}  // namespace tofn
