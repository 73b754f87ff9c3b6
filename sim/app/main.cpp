#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/app/command.hpp"
#include "sim/app/waiting_line.hpp"
#include "sim/core/answer_of_no.hpp"
#include "sim/core/file.hpp"
#include "sim/core/launcher.hpp"
#include "sim/core/memory_failures.hpp"
#include "sim/core/names.hpp"
#include "sim/core/version.hpp"

namespace {

constexpr int failure_of_ours = 1;
constexpr int mistake_of_the_user = 2;

std::string usage() {
  std::string text =
      "tofn predicts how long distributed training takes on N accelerators, and why.\n\n"
      "usage: tofn COMMAND [OPTIONS]\n\n";
  for (const auto& command : tofn::commands())
    text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  return text +
         "\n`tofn COMMAND --help` shows options and examples; `tofn --version` the version.\n"
         "Where a file is read, `-` is standard input.\n"
         "Exit codes: 0 done, 2 a mistake in the input, 1 an answer of no (a plan does not fit, a "
         "limit\n"
         "is more likely missed than kept, a measured bandwidth is not normal) or a failure of "
         "tofn.\n";
}

/// Runs a command. With `--quiet`, prints notices only if the input is refused or something fails.
tofn::CommandAnswer answer_of(const tofn::Command& command,
                              const tofn::options::variables_map& values) {
  const tofn::WaitingLine waiting(!tofn::option::quiet.is_given(values));
  if (!tofn::option::quiet.is_given(values)) return tofn::run_command(command, values);
  tofn::CommandAnswer answer;
  std::vector<std::string> stated;
  {
    tofn::Notices notices;
    answer = tofn::run_command(command, values);
    stated = answer.exit_code == mistake_of_the_user ? notices.lines : notices.failures;
  }
  for (const std::string& line : stated) tofn::say(line);
  answer.summary.clear();
  return answer;
}

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::cerr << usage();
    return mistake_of_the_user;
  }
  if (words[0] == "help" && words.size() > 1) return run({words[1], "--help"});
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    tofn::print(usage());
    return 0;
  }
  if (words[0] == "--version" || words[0] == "version") {
    tofn::print(tofn::version_text("tofn"));
    return 0;
  }
  const tofn::Command& command = tofn::command_named(words[0]);
  const tofn::ReadOnce one_answer;
  tofn::set_invocation(words);
  const std::vector<std::string> request(words.begin() + 1, words.end());
  const auto values = tofn::parse_command(command, request);
  if (tofn::option::help.is_given(values)) {
    tofn::print(tofn::help_text("tofn", command.line(request), tofn::common_rows()));
    return 0;
  }
  const tofn::CommandAnswer answer = answer_of(command, values);
  tofn::require_memory();
  tofn::write_answer(tofn::read_common(values), answer);
  return answer.exit_code;
}

/// Prints one line without allocating memory, and exits. Standard C++ terminates the program if
/// memory fails in a function that may not throw, such as reading a folder in libstdc++ 12.
[[noreturn]] void end_at_once() {
  constexpr std::string_view line = "tofn: out of memory, or a failure of tofn\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) std::abort();
  std::_Exit(failure_of_ours);
}

int out_of_memory() {
  std::cerr << "tofn: out of memory\n";
  return failure_of_ours;
}

int run_guarded(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const tofn::InputError& error) {
    if (tofn::memory_failures() > 0) return out_of_memory();
    // All ranks of a job make the same mistake, so only the first prints it.
    if (tofn::is_first_process()) tofn::say(error.what());
    return tofn::exit_code_of(error);
  } catch (const tofn::WriteError& error) {
    tofn::say(error.what());
    return failure_of_ours;
  } catch (const std::exception& error) {
    std::cerr << "tofn: internal error: " << error.what() << '\n';
    return failure_of_ours;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_at_once);
  tofn::count_memory_failures();
  const int exit_code = run_guarded(argc, argv);
  if (exit_code != 0) tofn::let_launcher_read();
  return exit_code;
}
