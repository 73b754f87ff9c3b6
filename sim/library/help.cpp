#include "tofn/help.hpp"

#include <algorithm>

#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/library/guarded.hpp"

namespace tofn {
namespace {

bool is_argument(const CommandLine& line, const std::string& name) {
  constexpr unsigned most = 8;  // the last name repeats if any number of arguments is allowed
  const unsigned count = std::min(most, line.positional.max_total_count());
  for (unsigned i = 0; i < count; ++i)
    if (line.positional.name_for_position(i) == name) return true;
  return false;
}

void add_options(std::vector<Option>& all, const CommandLine& line) {
  for (const auto& row : line.description.options()) {
    const std::string& name = row->long_name();
    const auto is_same = [&](const Option& known) { return known.name == name; };
    if (name == "help" || std::any_of(all.begin(), all.end(), is_same)) continue;
    all.push_back({.name = name,
                   .meaning = row->description(),
                   .takes_value = row->semantic()->max_tokens() > 0,
                   .is_argument = is_argument(line, name)});
  }
}

}  // namespace

std::vector<Option> options_of_command(const std::string& name) {
  return guarded([&] {
    std::vector<Option> all;
    add_options(all, command_named(name).line({}));
    // A step of a workload and a step of a model have different options.
    if (name == "step") add_options(all, step_of_workload_command_line());
    add_options(all, CommandLine{{}, {}, common_options(), {}});
    return all;
  });
}

std::string help(const std::string& name) {
  return guarded([&] { return help_text("tofn", command_named(name).line({}), common_options()); });
}

}  // namespace tofn
