#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "sim/config/library.hpp"
#include "sim/core/names.hpp"

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

/// Fills in what depends on where the tests stand and on which configs ship: `{cases}` the folder
/// of broken files, `{accelerators}`, `{clusters}` and `{workloads}` the names that are known.
inline std::string filled_in(std::string text) {
  static const Library library = Library::load(configs_folder());
  auto accelerators = names_of(library.accelerators());
  std::sort(accelerators.begin(), accelerators.end());  // `tofn check` lists them by name
  text = with_each_replaced(std::move(text), "{cases}", cases_folder());
  text = with_each_replaced(std::move(text), "{accelerators}", choices(accelerators));
  text = with_each_replaced(std::move(text), "{clusters}", choices(names_of(library.clusters())));
  return with_each_replaced(std::move(text), "{workloads}", choices(names_of(library.workloads())));
}

struct Outcome {
  int exit_code = 0;  ///< -1 if a signal ended the program
  std::string output;
  std::string errors;
};

inline std::string take_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return std::move(text).str();
}

/// Runs the real program on the configs that ship. `arguments` is a shell's text.
inline Outcome run_program(const std::string& arguments) {
  const std::string base = (std::filesystem::temp_directory_path() / "tofn-bad-configs.").string() +
                           std::to_string(::getpid());
  const std::string command = "exec env TOFN_CONFIGS='" + configs_folder() +
                              "' '" TOFN_BINARY "' " + arguments + " >'" + base + ".out' 2>'" +
                              base + ".err'";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .output = take_file(base + ".out"),
          .errors = take_file(base + ".err")};
}

}  // namespace tofn::test
