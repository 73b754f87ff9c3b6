// Runs a sweep whose points take a stated amount of work. The tests of this folder start it alone
// and under mpirun. sweep_job POINTS COST [--threads N] [-o FILE] [--resume] [--fail-at POINT]
// [--identity TEXT]; without -o it prints the rows.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/progress_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"
#include "tests/sweep/points.hpp"

using namespace tofn;

namespace {

int run(const std::vector<std::string>& words) {
  test::PointSettings settings{.points = std::stoull(words.at(0)),
                               .cost = std::stoull(words.at(1))};
  BlockOptions options;
  BlockFile file;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--threads") options.threads = std::stoi(words.at(++i));
    if (words[i] == "-o") file.path = words.at(++i);
    if (words[i] == "--resume") file.resume = true;
    if (words[i] == "--fail-at") settings.fail_at = std::stoull(words.at(++i));
    if (words[i] == "--identity") settings.identity = words.at(++i);
  }
  ProgressLine line(std::cerr, isatty(STDERR_FILENO) == 1);
  options.on_progress = [&](const BlockProgress& progress) { line.show(progress); };
  const BlockJob job = test::synthetic_job(settings);
  BlockOutcome outcome;
  if (file.path.empty()) {
    outcome = run_blocks(job, std::cout, options);
  } else {
    file.format = &output_format_of(file.path);
    outcome = run_blocks(job, file, options);
  }
  line.clear();
  if (!outcome.message.empty()) std::cerr << "sweep_job: " << outcome.message << '\n';
  return outcome.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 1;
  try {
    exit_code = run({argv + 1, argv + argc});
  } catch (const InputError& error) {
    if (is_first_process()) std::cerr << "sweep_job: " << error.what() << '\n';
    exit_code = 2;
  } catch (const std::exception& error) {
    std::cerr << "sweep_job: " << error.what() << '\n';
  }
  std::cerr << std::flush;
  if (exit_code != 0) let_launcher_read();
  return exit_code;
}
