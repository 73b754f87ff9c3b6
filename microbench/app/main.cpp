#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/bench_manual.hpp"
#include "microbench/app/launch.hpp"
#include "microbench/app/session.hpp"
#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"
#include "sim/core/names.hpp"
#include "sim/core/version.hpp"

namespace tofn::bench {
namespace {

std::string usage() {
  std::string text =
      "tofn-bench measures what predicts distributed training, and says how sure it is.\n\n"
      "usage: [mpirun -np N] tofn-bench COMMAND [OPTIONS]\n\n";
  for (const BenchCommand& command : commands())
    text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  return text +
         "\n`tofn-bench COMMAND --help` shows options and examples; `tofn-bench --version` the "
         "version;\n`tofn-bench manual FOLDER` writes man pages and completions of shells.\nExit "
         "codes: 0 done, 1 a failure while measuring, 2 a mistake in the input, 130 "
         "interrupted.\n";
}

const BenchCommand& command_named(const std::string& name) {
  std::vector<std::string> names;
  for (const BenchCommand& command : commands()) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  throw InputError(unknown_name("command", name, names));
}

/// The requested task with its options, or the help to print.
struct Request {
  std::unique_ptr<Task> task;
  BenchOptions options;
  std::string help;
};

Request read(const std::vector<std::string>& words) {
  if (words.empty()) throw InputError("which command? `tofn-bench --help` lists them");
  if (words[0] == "--help" || words[0] == "-h") return {.task = {}, .options = {}, .help = usage()};
  if (words[0] == "--version")
    return {.task = {}, .options = {}, .help = version_text("tofn-bench")};
  if (words[0] == "manual" && words.size() == 2) {
    const auto files = write_manual(program_manual(), words[1]);
    return {
        .task = {},
        .options = {},
        .help = fmt::format("{}: {} files: man pages and completions\n", words[1], files.size())};
  }
  const BenchCommand& command = command_named(words[0]);
  const auto values = parse_words(command.line(), common_rows(), {words.begin() + 1, words.end()});
  if (values.count("help") > 0)
    return {
        .task = {}, .options = {}, .help = help_text("tofn-bench", command.line(), common_rows())};
  Request request{.task = command.read(values), .options = read_common(values), .help = {}};
  request.options.words = fmt::format("tofn-bench {}", fmt::join(words, " "));
  return request;
}

int threads_of(const Task& task, const BenchOptions& options) {
  if (!task.uses_gpus()) return 1;
  const int usable = usable_gpus();
  if (options.gpus.value_or(1) > usable)
    throw InputError({}, "--gpus", fmt::format("this host has {}", usable));
  return options.gpus.value_or(usable);
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    Request request = read(words);
    if (!request.task) {
      std::cout << request.help;
      return 0;
    }
    // A file-size limit must be an error of writing, with a reason, not a silent end.
    std::signal(SIGXFSZ, SIG_IGN);
    Task& task = *request.task;
    const int threads = uses_mpi(task.needs_mpi()) ? 1 : threads_of(task, request.options);
    return launch(argc, argv, task.needs_mpi(), threads,
                  [&](Team& team) { return run_session(team, task, request.options); });
  } catch (const InputError& error) {
    // Every rank finds the same mistake; under a launcher only the first one prints it.
    if (is_first_process()) std::cerr << "tofn-bench: " << error.what() << '\n';
    return mistake_of_the_user;
  } catch (const std::exception& error) {
    std::cerr << "tofn-bench: " << error.what() << '\n';
    return failure_of_the_job;
  }
}

}  // namespace
}  // namespace tofn::bench

int main(int argc, char** argv) {
  const int exit_code = tofn::bench::run(argc, argv);
  if (exit_code != 0) {
    std::cerr << std::flush;
    tofn::let_launcher_read();
  }
  return exit_code;
}
