// Measures the overhead of a sweep: blocks a second if the points cost nothing, the gain of a
// second thread, and the peak memory as the number of points grows. Aims: two threads at least 1.8
// times as fast as one, a million points in the memory of a few thousand, 50,000 plans a second and
// core (split, checked against the rules, memory and step computed), not counting those that break
// a rule. Run by hand:
//   build/tests/sweep_speed
// and for ranks, to compare their times:
//   time mpirun -np 1 build/tests/sweep_job 1000000 20000 -o x.csv
//   time mpirun -np 2 build/tests/sweep_job 1000000 20000 -o x.csv
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/progress_line.hpp"
#include "sim/sweep/row_maker.hpp"
#include "tests/sweep/points.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

template <class F>
double seconds_of(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// VmHWM, the peak memory of this process so far, in MB.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      double kib = 0;
      status >> kib;
      return kib * 1024 / 1e6;
    }
  return 0;
}

double sweep_seconds(const BlockJob& job, int threads) {
  std::ofstream nowhere("/dev/null");
  return seconds_of([&] { run_blocks(job, nowhere, {.threads = threads}); });
}

/// Share of all threads' time during which they ran a block. The rest is the overhead of the sweep,
/// however busy other processes keep the processors.
double busy_share(BlockJob job, int threads) {
  std::atomic<double> busy = 0;
  const auto make_worker = job.make_worker;
  job.make_worker = [&] {
    return [&busy, worker = make_worker()](std::uint64_t block) {
      std::string rows;
      busy += seconds_of([&] { rows = worker(block); });
      return rows;
    };
  };
  const double seconds = sweep_seconds(job, threads);
  return busy / (threads * seconds);
}

/// Seconds for the same blocks on bare threads with their rows thrown away: the best that this
/// machine can do at the moment.
double bare_seconds(const PointSettings& settings, int threads) {
  const BlockJob job = synthetic_job(settings);
  std::atomic<std::uint64_t> next = 0;
  return seconds_of([&] {
    std::vector<std::jthread> team;
    for (int i = 0; i < threads; ++i)
      team.emplace_back([&] {
        const BlockWorker worker = job.make_worker();
        for (std::uint64_t block = next++; block < block_count(job); block = next++) worker(block);
      });
  });
}

void print_overhead() {
  const PointSettings empty{.points = 2000000, .points_per_block = 1};
  for (const int threads : {1, 2}) {
    const double bare = bare_seconds(empty, threads);
    const double sweep = sweep_seconds(synthetic_job(empty), threads);
    fmt::print(
        "{} thread{}: {:>9} blocks/s of a point that costs nothing; {:.2f} us a block more "
        "than bare threads\n",
        threads, threads == 1 ? " " : "s",
        grouped(static_cast<std::uint64_t>(static_cast<double>(empty.points) / sweep)),
        (sweep - bare) * 1e6 / static_cast<double>(empty.points));
  }
}

/// Runs the variants in turn, so that other processes disturb all alike, and takes the fastest of
/// each.
void print_speedup() {
  const PointSettings busy{.points = 50000, .cost = 15000, .points_per_block = 64};
  std::vector<double> bare(2, 1e9);
  std::vector<double> sweep(2, 1e9);
  for (int round = 0; round < 5; ++round)
    for (const int threads : {1, 2}) {
      const auto i = static_cast<std::size_t>(threads - 1);
      bare[i] = std::min(bare[i], bare_seconds(busy, threads));
      sweep[i] = std::min(sweep[i], sweep_seconds(synthetic_job(busy), threads));
    }
  fmt::print(
      "{} points: {:.3f} s on one thread, {:.3f} s on two: {:.2f} times as fast; bare threads "
      "{:.3f} s and {:.3f} s: {:.2f} times\n",
      grouped(busy.points), sweep[0], sweep[1], sweep[0] / sweep[1], bare[0], bare[1],
      bare[0] / bare[1]);
  for (const int threads : {1, 2, 8})
    fmt::print("{} thread{} had a block to run {:.1f} % of the time\n", threads,
               threads == 1 ? " " : "s", 100 * busy_share(synthetic_job(busy), threads));
}

void print_memory() {
  const auto folder = std::filesystem::temp_directory_path();
  for (const std::uint64_t points : {10000, 100000, 1000000, 10000000})
    for (const OutputFormat& format : output_formats()) {
      const std::filesystem::path file =
          folder / fmt::format("tofn-sweep-speed.{}{}", ::getpid(), format.suffix);
      const BlockJob job = synthetic_job({.points = points, .points_per_block = 64});
      const double time =
          seconds_of([&] { run_blocks(job, {.path = file, .format = &format}, {.threads = 2}); });
      fmt::print("{:>10} points to {:<6} {:>6.1f} MB in {:>6.2f} s, peak memory {:.1f} MB\n",
                 grouped(points), format.name,
                 static_cast<double>(std::filesystem::file_size(file)) / 1e6, time, peak_memory());
      std::filesystem::remove(file);
    }
}

/// Seconds of processor time, which other processes do not lengthen.
template <class F>
double processor_seconds_of(F f) {
  const std::clock_t start = std::clock();
  f();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Prints the plans per second that are computed to the end on one thread without the sweep's
/// machinery, in the fastest of several passes.
void print_plans() {
  const std::string plans =
      "name: plans\ntitle: plans\nbase:\n  model: llama3-70b\n  cluster: dgx-h100\n"
      "  accelerators: 512\n  batch: 512\n  cp: 1\n  sharded: optimizer\n  sequence_parallel: "
      "true\naxes:\n"
      "  - tp: [1, 2, 4, 8]\n  - pp: [1, 2, 4, 8, 16]\n  - chunks: [1, 2, 4, 5]\n"
      "  - micro_batch: [1, 2, 4]\n  - recompute: [none, selective, full]\n"
      "columns: [memory_gb, fits, step_s, mfu]\n";
  const TemporaryFile file("plans.yaml", plans);
  const std::filesystem::path configs = std::filesystem::path(TOFN_SOURCE_DIR) / "configs";
  Library library = Library::load(configs);
  const Sweep sweep = load_sweep(file.path());
  const SweepSources sources(sweep, configs, library, nullptr);
  const RowLayout layout = layout_of(sources);
  double seconds = 1e9;
  std::string rows;
  for (int round = 0; round < 7; ++round) {
    RowMaker maker(sources, layout);
    seconds =
        std::min(seconds, processor_seconds_of([&] { rows = maker.rows(0, sweep.points()); }));
  }
  const auto completed = static_cast<double>(std::count(rows.begin(), rows.end(), '\n'));
  fmt::print("{:.0f} of {} plans of Llama 3 70B completed: {}/s on one core, {:.1f} us each\n",
             completed, sweep.points(), grouped(static_cast<std::uint64_t>(completed / seconds)),
             seconds * 1e6 / completed);
}

}  // namespace

int main() {
  print_plans();
  print_overhead();
  print_speedup();
  print_memory();
}
