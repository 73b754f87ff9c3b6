#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microbench/app/rig.hpp"
#include "microbench/harness/lab.hpp"
#include "sim/options/command_line.hpp"

namespace tofn::bench {

/// Options that all commands share.
struct BenchOptions {
  std::filesystem::path output;  ///< empty: no record
  bool resumes = false;
  bool overwrites = false;
  double timeout = 60;  ///< seconds without progress after which the job is ended
  StoppingRule rule;
  std::optional<int> ranks_per_node;
  std::optional<int> gpus;  ///< threads to run, each with a GPU, if there is no MPI
  std::string words;        ///< the whole command line
};

/// One benchmark, read from its options and ready to run.
class Task {
 public:
  virtual ~Task() = default;
  /// True if it cannot work without MPI; then even a single rank is started over MPI.
  virtual bool needs_mpi() const { return false; }
  /// True if each rank takes a GPU.
  virtual bool uses_gpus() const { return false; }
  /// Upper limit of the points, to estimate the time left.
  virtual int most_points() const = 0;
  /// Runs the benchmark. Collective over the ranks.
  virtual void run(Lab& lab, Rig& rig) = 0;
};

/// One sub-command. `read` reads its options: InputError for a mistake, null if help was printed.
struct BenchCommand {
  std::string_view name;
  std::string_view summary;
  const CommandLine& (*line)();
  std::unique_ptr<Task> (*read)(const options::variables_map&);
};

/// Every sub-command. To add one, write a file beside the others and add a row to the table.
std::span<const BenchCommand> commands();

const CommandLine& collective_line();
std::unique_ptr<Task> read_collective(const options::variables_map&);
const CommandLine& compute_line();
std::unique_ptr<Task> read_compute(const options::variables_map&);
const CommandLine& step_line();
std::unique_ptr<Task> read_step(const options::variables_map&);
const CommandLine& suite_line();
std::unique_ptr<Task> read_suite(const options::variables_map&);

CommandOptions common_rows();
BenchOptions read_common(const options::variables_map&);

}  // namespace tofn::bench
