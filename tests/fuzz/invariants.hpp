#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/utf8.hpp"
#include "sim/formats/collective_logs/collective_log.hpp"
#include "tests/fuzz/learned.hpp"

namespace tofn::fuzz {

inline const std::string file = "input.log";

inline void require(bool holds, const char* invariant) {
  if (holds) return;
  std::fprintf(stderr, "broken invariant: %s\n", invariant);
  std::abort();
}

/// True if a refusal is plain text without control characters, one line for each mistake. A line
/// begins with the file's name and `:`, or with the name of the folder that holds the file.
/// Indented lines belong to the line before.
inline bool is_plain_refusal(std::string_view what, const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (what.empty() || !is_text(what)) return false;
  while (!what.empty()) {
    const std::string_view line = what.substr(0, what.find('\n'));
    if (std::any_of(line.begin(), line.end(), is_control)) return false;
    if (!name.empty() && !line.starts_with("    ") && !line.starts_with(name + ":") &&
        !line.starts_with(name + "/"))
      return false;
    what.remove_prefix(std::min(line.size() + 1, what.size()));
  }
  return true;
}

inline void check_refusal(std::string_view what, const std::string& name) {
  if (!is_plain_refusal(what, name)) std::fprintf(stderr, "%s\n", std::string(what).c_str());
  require(is_plain_refusal(what, name), "a refusal is lines that begin with file:");
}

/// Runs a reader, which must return or throw an InputError that names the file. The mutator learns
/// words from the message. Any other exception ends the program.
template <class Action>
void only_input_errors(const Action& action, const std::string& name = file) {
  try {
    action();
  } catch (const InputError& error) {
    check_refusal(error.what(), name);
    learned().hear(error.what());
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
