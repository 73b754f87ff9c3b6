#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/names.hpp"
#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/program.hpp"

namespace tofn::test {

inline std::string cases_folder() { return TOFN_SOURCE_DIR "/tests/bad_configs/cases"; }
inline std::string configs_folder() { return TOFN_SOURCE_DIR "/configs"; }

inline std::string with_each_replaced(std::string text, const std::string& mark,
                                      const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.replace(at, mark.size(), by);
  return text;
}

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

/// Replaces placeholders that depend on the source folder and on the shipped configs: `{cases}` by
/// the folder of broken files, `{configs}` by that of the sound ones, `{workloads}` by their names,
/// and `{accelerators}`, `{clusters}`, `{models}`, `{stacks}`, ... by their numbers.
inline std::string filled_in(std::string text) {
  static const Library library = Library::load(configs_folder());
  text = with_each_replaced(std::move(text), "{cases}", cases_folder());
  text = with_each_replaced(std::move(text), "{configs}", configs_folder());
  std::size_t jobs = library.workloads().size();
  for (const std::string folder :
       {"accelerators", "calibrations", "clusters", "models", "runs", "stacks"}) {
    const std::size_t count = files_in(configs_folder(), folder).size();
    if (folder == "models" || folder == "runs") jobs += count;
    text = with_each_replaced(std::move(text), "{" + folder + "}", std::to_string(count));
  }
  text = with_each_replaced(std::move(text), "{jobs}", std::to_string(jobs));
  return with_each_replaced(std::move(text), "{workloads}", choices(names_of(library.workloads())));
}

/// Runs the real program on the shipped configs, with lines wide enough that no sentence wraps. A
/// shell parses `arguments`.
inline Outcome run_program(const std::string& arguments) {
  return run_command("env COLUMNS=400 TOFN_CONFIGS='" + configs_folder() + "' '" TOFN_BINARY "' " +
                     arguments);
}

inline void check_refused(const std::string& arguments, const std::string& message) {
  INFO("tofn " << arguments);
  const Outcome outcome = run_program(filled_in(arguments));
  CHECK(outcome.errors == "tofn: " + filled_in(message) + '\n');
  CHECK(outcome.output.empty());
  CHECK(outcome.exit_code == 2);
}

}  // namespace tofn::test
