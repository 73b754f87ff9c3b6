#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace tofn::test {

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

/// Runs a program; a shell parses `command`.
inline Outcome run_command(const std::string& command) {
  const std::string base = (std::filesystem::temp_directory_path() / "tofn-program.").string() +
                           std::to_string(::getpid());
  const std::string whole = "exec " + command + " >'" + base + ".out' 2>'" + base + ".err'";
  const int status = std::system(whole.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .output = take_file(base + ".out"),
          .errors = take_file(base + ".err")};
}

}  // namespace tofn::test
