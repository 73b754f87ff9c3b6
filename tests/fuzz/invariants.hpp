#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "sim/core/error.hpp"
#include "sim/measurements/collective_log.hpp"

namespace tofn::fuzz {

inline const std::string file = "input.log";

inline void require(bool holds, const char* invariant) {
  if (holds) return;
  std::fprintf(stderr, "broken invariant: %s\n", invariant);
  std::abort();
}

/// Runs a reader, which returns or throws an InputError that names the file; anything else ends the
/// program.
template <class Action>
void only_input_errors(const Action& action, const std::string& name = file) {
  try {
    action();
  } catch (const InputError& error) {
    require(std::string(error.what()).starts_with(name + ":"), "the error begins with file:");
  }
}

inline void check_time(const std::optional<Seconds>& time) {
  require(!time || (std::isfinite(time->base()) && time->base() > 0), "times are positive");
}

inline void check(const LogReading& reading) {
  require(!reading.tables.empty(), "there is a table");
  for (const CollectiveTable& table : reading.tables) {
    require(table.ranks >= table.nodes && table.nodes >= 1, "ranks >= nodes >= 1");
    require(!table.rows.empty(), "a table has rows");
    double last = 0;
    for (const CollectiveRow& row : table.rows) {
      require(std::isfinite(row.size.base()) && row.size.base() >= 1, "sizes are positive");
      require(row.size.base() >= last, "sizes ascend");
      require(row.out_of_place || row.in_place, "a row has a time");
      check_time(row.out_of_place);
      check_time(row.in_place);
      last = row.size.base();
    }
  }
}

}  // namespace tofn::fuzz
