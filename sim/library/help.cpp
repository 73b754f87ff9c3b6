#include "tofn/help.hpp"

#include <algorithm>

#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/library/guarded.hpp"

namespace tofn {
namespace {

void add_options(std::vector<Option>& all, const CommandOptions& rows) {
  for (const CommandOption& row : rows) {
    const std::string name(row.option->name);
    const auto is_same = [&](const Option& known) { return known.name == name; };
    if (row.option == &option::help || std::ranges::any_of(all, is_same)) continue;
    all.push_back({.name = name,
                   .meaning = row.shown_help(),
                   .takes_value = row.option->takes != Takes::Nothing,
                   .is_argument = row.words != 0});
  }
}

}  // namespace

std::vector<Option> options_of_command(const std::string& name) {
  return guarded([&] {
    std::vector<Option> all;
    add_options(all, command_named(name).line({}).rows);
    // A step of a workload and a step of a model have different options.
    if (name == "step") add_options(all, step_of_workload_command_line().rows);
    add_options(all, common_rows());
    return all;
  });
}

std::string help(const std::string& name) {
  return guarded([&] { return help_text("tofn", command_named(name).line({}), common_rows()); });
}

}  // namespace tofn
