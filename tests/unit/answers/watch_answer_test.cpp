#include "sim/answers/watch_answer.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>

#include "sim/core/random.hpp"
#include "sim/report/watch_report.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Path of a Megatron-LM log of `lines` of 1000 iterations. Each prints its `milliseconds`, and the
/// clock advances by `stretch` times as much.
std::string log_of(const TemporaryFolder& folder, const std::function<double(int)>& milliseconds,
                   double stretch = 1, int lines = 100) {
  const std::string path = folder.file("train.log");
  std::ofstream file(path);
  double clock = 0;
  for (int i = 1; i <= lines; ++i) {
    clock += stretch * milliseconds(i) * 1e-3;
    const int whole = static_cast<int>(clock);
    file << fmt::format(
        "[2024-05-01 10:{:02}:{:02}.{:03}] iteration {}/ 1000 | elapsed time per iteration (ms): "
        "{:.1f} | global batch size: 64 |\n",
        whole / 60, whole % 60, static_cast<int>((clock - whole) * 1000), i, milliseconds(i));
  }
  return path;
}

}  // namespace

TEST_CASE("a steady job ends when its steps say") {
  const TemporaryFolder folder;
  const WatchAnswer now = watch({.file = log_of(folder, [](int) { return 2000.0; })});
  CHECK(now.iteration == 100);
  CHECK(now.iterations == 1000);
  REQUIRE(now.left);
  CHECK_THAT(now.left->base(), WithinRel(900 * 2.0, 2e-3));
  CHECK(now.left_low <= *now.left);
  CHECK(now.left_high >= *now.left);
  CHECK(now.cause.empty());
  CHECK(watch_line(now).starts_with("iteration 100 of 1000 (10.0 %): 2.00 s a step, ends in "));
  CHECK_FALSE(now.silent);
}

TEST_CASE("a running job whose log is no longer written is silent, and one that ended is not") {
  const TemporaryFolder folder;
  const auto of_lines = [&](int lines, std::chrono::minutes ago) {
    const std::string file = log_of(
        folder, [](int) { return 2000.0; }, 1, lines);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - ago);
    return watch({.file = file});
  };
  using std::chrono::minutes;
  CHECK_FALSE(of_lines(100, minutes(9)).silent);  // 10 minutes, since 100 steps take 200 s
  const WatchAnswer silent = of_lines(100, minutes(60));
  REQUIRE(silent.silent);
  CHECK_THAT(silent.silent->base(), WithinRel(3600, 0.01));
  CHECK_THAT(watch_text(silent), ContainsText("NOTHING WAS WRITTEN FOR") && !ContainsText("end "));
  CHECK_FALSE(of_lines(1000, minutes(60)).silent);
}

TEST_CASE("a job is done at its last iteration, and not watched if its clock contradicts it") {
  const TemporaryFolder folder;
  const std::string path = folder.file("train.log");
  std::ofstream(path) << "[2024-05-01 10:00:00.000] iteration 10/ 100 | elapsed time per iteration "
                         "(ms): 1e-300 | global batch size: 64 |\n"
                         "[2024-05-01 10:00:30.000] iteration 20/ 100 | elapsed time per iteration "
                         "(ms): 1e-300 | global batch size: 64 |\n";
  CHECK_THAT(refusal([&] { watch({.file = path}); }),
             ContainsText("the time stamps of the same lines 3 s: one of them is wrong"));
  const std::string ended = log_of(
      folder, [](int) { return 2000.0; }, 1, 1000);
  CHECK_THAT(watch_line(watch({.file = ended})), ContainsText(", done"));
}

TEST_CASE("iterations that contradict the log are refused") {
  const TemporaryFolder folder;
  const std::string path = log_of(folder, [](int) { return 2000.0; });
  CHECK(watch({.file = path, .iterations = 1000}).iterations == 1000);
  CHECK(refusal([&] { watch({.file = path, .iterations = 2000}); }) ==
        "--iterations: says 2000, but the log says 1000");
}

TEST_CASE("what lies between steps takes its share of what is left") {
  const TemporaryFolder folder;
  const WatchAnswer now = watch({.file = log_of(
                                     folder, [](int) { return 2000.0; }, 1.14)});
  REQUIRE(now.left);
  CHECK_THAT(now.left->base(), WithinRel(900 * 2.0 * 1.14, 2e-3));
}

namespace {

/// A line of Megatron-LM at `clock` seconds after midnight.
std::string stamped_line(double clock, int iteration, double seconds) {
  const int whole = static_cast<int>(clock);
  return fmt::format(
      "[2024-05-01 {:02}:{:02}:{:02}.{:03}] iteration {}/ 1000 | elapsed time per iteration (ms): "
      "{:.1f} | global batch size: 64 |\n",
      whole / 3600, whole / 60 % 60, whole % 60, static_cast<int>((clock - whole) * 1000),
      iteration, 1e3 * seconds);
}

struct LoggedJob {
  int first = 1;
  int last = 1;
  double seconds = 1;  ///< seconds a step
  double pause = 0;    ///< seconds before the job
};

std::string log_of_jobs(const TemporaryFolder& folder, const std::vector<LoggedJob>& jobs) {
  const std::string path = folder.file("jobs.log");
  std::ofstream file(path);
  double clock = 0;
  for (const LoggedJob& job : jobs) {
    clock += job.pause;
    for (int i = job.first; i <= job.last; ++i)
      file << stamped_line(clock += job.seconds, i, job.seconds);
  }
  return path;
}

}  // namespace

TEST_CASE("a pause between two jobs lies between no steps") {
  const TemporaryFolder folder;
  const WatchAnswer now =
      watch({.file = log_of_jobs(folder,
                                 {{.last = 100, .seconds = 5},
                                  {.first = 101, .last = 160, .seconds = 5, .pause = 3 * 3600}})});
  REQUIRE(now.left);
  CHECK_THAT(now.left->base(), WithinRel(840 * 5.0, 1e-3));
  CHECK(now.outside < 1e-3);
  CHECK(now.cause.empty());
  CHECK(now.run.pause_seconds == 3 * 3600 + 5);
  CHECK_THAT(watch_text(now),
             ContainsText("left out      a pause of 3.00 hours, and what was before it"));
}

TEST_CASE("a run that begins at its first iteration again says nothing of the one before") {
  const TemporaryFolder folder;
  const WatchAnswer now = watch(
      {.file = log_of_jobs(folder, {{.last = 100, .seconds = 5}, {.last = 60, .seconds = 7}})});
  REQUIRE(now.left);
  CHECK_THAT(now.left->base(), WithinRel(940 * 7.0, 1e-3));
  CHECK(std::abs(now.own_drift) < 1e-3);
  CHECK(now.cause.empty());
}

TEST_CASE("waits that came seldom say little of how many will come") {
  const TemporaryFolder folder;
  const auto reach = [&](const std::vector<LoggedJob>& jobs) {
    const WatchAnswer now = watch({.file = log_of_jobs(folder, jobs)});
    CHECK(now.outside > 0.05);
    CHECK_FALSE(now.run.pause_seconds);
    return (now.left_high - now.left_low) / *now.left;
  };
  // One evaluation takes 60 s; four take 15 s each.
  const double one = reach({{.last = 50}, {.first = 51, .last = 100, .pause = 60}});
  const double four = reach({{.last = 20},
                             {.first = 21, .last = 40, .pause = 15},
                             {.first = 41, .last = 60, .pause = 15},
                             {.first = 61, .last = 80, .pause = 15},
                             {.first = 81, .last = 100, .pause = 15}});
  CHECK(one > 1.5 * four);
}

TEST_CASE("a slowdown is dated, and has a price until now and until the end") {
  const TemporaryFolder folder;
  const auto job = [&](double later) {
    return watch({.file = log_of(folder, [&](int i) { return i <= 60 ? 2000.0 : later; })});
  };
  const WatchAnswer now = job(2400);
  REQUIRE(now.slowdown);
  CHECK(now.slowdown->since == 61);
  CHECK_THAT(now.slowdown->lost.base(), WithinRel(40 * 0.4, 1e-9));
  CHECK_THAT(now.slowdown->to_lose.base(), WithinRel(900 * 0.4, 1e-9));
  CHECK_THAT(watch_text(now),
             ContainsText("\nslow since    iteration 61: 2.40 s a step, 2.00 s before; it has cost "
                          "16.0 s so far, and will cost 6.00 minutes more\n"));
  CHECK_THAT(watch_text(now), ContainsText("\nend           20"));
  CHECK_FALSE(job(2000).slowdown);
  CHECK_FALSE(job(1600).slowdown);
}

TEST_CASE("losses that are no number and steps that were left out are counted") {
  const TemporaryFolder folder;
  const std::string path = log_of(folder, [](int) { return 2000.0; });
  std::ofstream(path, std::ios::app)
      << " iteration 101/ 1000 | lm loss: 6.1E+00 | number of skipped iterations:   0 | number of "
         "nan iterations:   0 |\n"
         " iteration 102/ 1000 | lm loss: 6.0E+00 | number of skipped iterations:   2 | number of "
         "nan iterations:   0 |\n"
         "{'loss': nan, 'grad_norm': nan}\nno loss in an infinite loop\nstep: 3  loss:      nan\n"
         "loss information is averaged\nnode1: ECC errors: 0 on all devices\n"
         "node2: ECC errors: 12\nuncorrectable ECC error encountered\n";
  const WatchAnswer now = watch({.file = path});
  REQUIRE(now.warnings.size() == 3);
  CHECK(now.warnings[0].words == "loss");
  CHECK(now.warnings[0].count == 2);
  CHECK(now.warnings[1].words == "number of skipped iterations");
  CHECK(now.warnings[1].line == 102);
  CHECK(now.warnings[2].words == "ECC error");
  CHECK(now.warnings[2].count == 2);
}

TEST_CASE("a log that says that its run ended is not waited for") {
  const TemporaryFolder folder;
  const std::string path = folder.file("mllog.txt");
  std::ofstream(path) << R"(:::MLLOG {"key": "global_batch_size", "value": 8}
:::MLLOG {"key": "tracked_stats", "time_ms": 1, "value": {"train_step_time": 0.5}}
:::MLLOG {"key": "run_stop", "time_ms": 2, "value": null, "metadata": {"status": "aborted"}}
)";
  CHECK(watch_line(watch({.file = path})) ==
        "iteration unknown: 500 ms a step, ended (run_stop, aborted)");
}

TEST_CASE("rates alone are watched with the sizes that are stated") {
  const TemporaryFolder folder;
  const std::string path = folder.file("titan.txt");
  std::ofstream(path) << "step: 10  loss: 3.4  tps: 1,024  mfu: 39.73%\n";
  const WatchAnswer now = watch(
      {.file = path, .hints = {.accelerators = 8, .global_batch = 16, .sequence_length = 2048.0}});
  CHECK_THAT(now.recent.base(), WithinRel(4.0, 1e-9));
}

TEST_CASE("what slows a job is told by how it came") {
  const TemporaryFolder folder;
  const auto cause = [&](const std::function<double(int)>& milliseconds, double stretch = 1,
                         std::optional<Seconds> predicted = {}) {
    return watch({.file = log_of(folder, milliseconds, stretch), .predicted = predicted}).cause;
  };
  CHECK(cause([](int i) {
          return i <= 60 ? 2000.0 : 2400.0;
        }).starts_with("the slowdown was sudden"));
  CHECK(cause([](int i) { return 2000.0 + 5 * i; }).starts_with("the slowdown was gradual"));
  CHECK(cause([](int i) {
          return i <= 60 ? 2000.0 : 2000.0 + 200 * (i % 7);
        }).starts_with("steps scatter more"));
  CHECK(cause([](int) { return 2000.0; }, 1.14).starts_with("steps are as long as at first"));
  CHECK(cause([](int) { return 2000.0; }, 1, Seconds{1.6})
            .starts_with("steps were longer than predicted from the start"));
  CHECK(cause([](int) { return 2000.0; }, 1, Seconds{1.98}).empty());
}

TEST_CASE("nine of ten intervals of the end hold it") {
  // The level wanders by 1.5 %, and six tenths of it last beyond 50 steps. Steps scatter by 3 %
  // around it.
  const TemporaryFolder folder;
  int inside = 0;
  int all = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    std::vector<double> milliseconds(1, 2500);
    double level = 0.015 * random.normal();
    for (int i = 2; i <= 1000; ++i) {
      if (i % 50 == 0) level = 0.6 * level + 0.8 * 0.015 * random.normal();
      milliseconds.push_back(2000 * std::exp(level + 0.03 * random.normal()));
    }
    for (const int cut : {50, 200, 700}) {
      const WatchAnswer now =
          watch({.file = log_of(
                     folder, [&](int i) { return milliseconds[static_cast<std::size_t>(i - 1)]; },
                     1, cut)});
      double left = 0;
      for (std::size_t i = static_cast<std::size_t>(cut); i < milliseconds.size(); ++i)
        left += 1e-3 * milliseconds[i];
      ++all;
      inside += now.left_low.base() <= left && left <= now.left_high.base();
    }
  }
  CAPTURE(inside, all);
  CHECK(inside >= 0.85 * all);
  CHECK(inside < all);
}

TEST_CASE("the cause of a drift is told of most jobs") {
  const TemporaryFolder folder;
  int right = 0;
  int all = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Random random(seed);
    const double size = 0.1 + 0.4 * random.uniform();
    const int from = 30 + static_cast<int>(40 * random.uniform());
    const auto reported = [&](const std::function<double(int)>& drift, double stretch,
                              std::string_view sentence) {
      Random noise(seed + 100);
      const auto milliseconds = [&](int i) {
        return 2000 * drift(i) * std::exp(0.01 * noise.normal());
      };
      std::vector<double> drawn;
      for (int i = 1; i <= 100; ++i) drawn.push_back(milliseconds(i));
      const auto now = watch(
          {.file = log_of(
               folder, [&](int i) { return drawn[static_cast<std::size_t>(i - 1)]; }, stretch)});
      ++all;
      right += sentence.empty() ? now.cause.empty() : now.cause.starts_with(sentence);
    };
    reported([&](int i) { return i < from ? 1 : 1 + size; }, 1, "the slowdown was sudden");
    reported([&](int i) { return 1 + size * i / 100; }, 1, "the slowdown was gradual");
    reported([&](int i) { return i < from ? 1 : 1 + 2 * size * (i % 5) / 4; }, 1,
             "steps scatter more");
    reported([](int) { return 1; }, 1.11 + 0.06 * size, "steps are as long as at first");
    reported([](int) { return 1; }, 1, "");
  }
  CAPTURE(right, all);
  CHECK(right >= 0.9 * all);
}

TEST_CASE("a log without a time of a step says what is missing") {
  const TemporaryFolder folder;
  const std::string path = folder.file("train.log");
  std::ofstream(path) << "step: 10  loss: 7.1  tps: 5,120  mfu: 30.3%\n";
  CHECK(refusal([&] {
          watch({.file = path});
        }).starts_with(path + ": step: its lines say 5120 tokens/s"));
}

TEST_CASE("a few steps say the end no closer than runs of one plan differ") {
  const TemporaryFolder folder;
  const std::string path = folder.file("few.log");
  std::ofstream(path) << "iteration 34/ 10000 | elapsed time per iteration (ms): 4000.0 | global "
                         "batch size: 64 |\n";
  const WatchAnswer now = watch({.file = path});
  REQUIRE(now.left);
  CHECK(now.left_high / *now.left > 1.04);
  CHECK(now.left_low / *now.left < 0.96);
}

TEST_CASE("MLLOG says how far its run is, and what it may take") {
  const TemporaryFolder folder;
  const std::string path = folder.file("mllog.txt");
  std::string text = R"(:::MLLOG {"key": "global_batch_size", "value": 8, "time_ms": 0}
:::MLLOG {"key": "opt_learning_rate_training_steps", "value": 100, "time_ms": 0}
:::MLLOG {"key": "run_start", "value": null, "time_ms": 0}
)";
  for (int block = 0; block < 3; ++block) {
    const int samples = 80 * block;
    text += fmt::format(
        R"(:::MLLOG {{"key": "block_start", "time_ms": {}, "value": null, "metadata": {{"samples_count": {}}}}}
:::MLLOG {{"key": "block_stop", "time_ms": {}, "value": null, "metadata": {{"samples_count": {}}}}}
)",
        5000 * block, samples, 5000 * (block + 1), samples + 80);
  }
  std::ofstream(path) << text;
  const WatchAnswer now = watch({.file = path});
  CHECK(now.iteration == 30);
  CHECK(now.iterations == 100);
  CHECK(now.run.length_from == "opt_learning_rate_training_steps");
  REQUIRE(now.left);
  CHECK_THAT(now.left->base(), WithinRel(70 * 0.5, 1e-6));
  CHECK_FALSE(now.is_over());
  std::ofstream(path) << text
                      << R"(:::MLLOG {"key": "run_stop", "time_ms": 15000, "value": null})"
                         "\n";
  CHECK(watch({.file = path}).is_over());
}

TEST_CASE("samples that the clock has no room for say no iteration") {
  const TemporaryFolder folder;
  const std::string path = folder.file("mllog.txt");
  // The log counts tokens as samples and does not state how many a sample has.
  std::ofstream(path) << R"(:::MLLOG {"key": "global_batch_size", "value": 8, "time_ms": 0}
:::MLLOG {"key": "run_start", "value": null, "time_ms": 0}
:::MLLOG {"key": "tracked_stats", "time_ms": 500, "value": {"train_step_time": 0.5}}
:::MLLOG {"key": "block_stop", "time_ms": 600, "value": null, "metadata": {"epoch_num": 163840}}
)";
  CHECK_FALSE(watch({.file = path}).iteration);
}

TEST_CASE("the last iteration, and words of its end, end a run") {
  const TemporaryFolder folder;
  CHECK(watch({.file = log_of(
                   folder, [](int) { return 2000.0; }, 1, 1000)})
            .is_over());
  const std::string path = log_of(folder, [](int) { return 2000.0; });
  CHECK_FALSE(watch({.file = path}).is_over());
  std::ofstream(path, std::ios::app) << "[exiting program at iteration 100] datetime: 2024-05-01\n";
  const WatchAnswer now = watch({.file = path});
  CHECK(now.is_over());
  CHECK(now.run.end.words == "exiting program");
}

TEST_CASE("a bar says the length of its run, an epoch's bar only with the number of epochs") {
  const TemporaryFolder folder;
  const auto bar = [&](const std::string& words, int done) {
    const std::string path = folder.file("bar.txt");
    std::ofstream(path) << fmt::format("{}: 1%|# | 1/50 [00:02<01:38,  2.00s/it]\n", words)
                        << fmt::format("{}: 9%|# | {}/50 [00:{:02}<01:00,  2.00s/it]\n", words,
                                       done, 2 * done);
    return watch({.file = path});
  };
  const WatchAnswer whole = bar("Training", 20);
  CHECK(whole.iterations == 50);
  CHECK_FALSE(whole.is_over());
  CHECK(bar("Training", 50).is_over());
  CHECK_FALSE(bar("Epoch 0", 50).iterations);
  const WatchAnswer third = bar("Epoch 3/4", 20);
  CHECK(third.iteration == 120);
  CHECK(third.iterations == 200);
}

TEST_CASE("warnings that explain slow steps are counted, and told beside the step") {
  const TemporaryFolder folder;
  const std::string path = log_of(folder, [](int) { return 2000.0; });
  CHECK(watch({.file = path}).warnings.empty());
  std::ofstream(path, std::ios::app)
      << "[rank0]:[titan] 2025-08-21 - root - WARNING - 5 CUDA memory allocation retries.\n"
         "iteration 101/ 1000 | elapsed time per iteration (ms): 2000.0 | global batch size: 64 |\n"
         "[rank0]:[titan] 2025-08-21 - root - WARNING - 7 CUDA memory allocation retries.\n"
         "node kernel: NVRM: Xid (PCI:0000:0a:00): 74, pid=1, NVLink: fatal error\n";
  const WatchAnswer now = watch({.file = path});
  REQUIRE(now.warnings.size() == 2);
  CHECK(now.warnings[0].count == 2);
  CHECK(now.warnings[0].line == 101);
  CHECK(now.warnings[1].words == "NVRM: Xid");
  CHECK(now.warnings[1].line == 104);
  CHECK_THAT(
      watch_text(now),
      ContainsText("\nlog warns     of 'CUDA memory allocation retries' on 2 lines, first on "
                   "line 101: memory is full: "));
}

TEST_CASE("stalls at intervals are counted as outliers, with their share of the time") {
  const TemporaryFolder folder;
  const std::string path = log_of(
      folder, [](int i) { return i % 10 == 0 ? 15'000.0 : 5000.0; }, 1, 300);
  // 30 x 10 s beyond the steady steps, of 270 x 5 s + 30 x 15 s.
  CHECK_THAT(report::watch_text(watch({.file = path})),
             ContainsText(
                 "outliers      30 of 300 steps took 15.0 s in the median, which costs 17 % of the "
                 "time\n"));
  CHECK_THAT(report::watch_text(watch({.file = log_of(folder, [](int) { return 5000.0; })})),
             !ContainsText("outliers"));
}

TEST_CASE("a log whose only step is a job's first says that it holds the warm-up") {
  const TemporaryFolder folder;
  const std::string path = log_of(
      folder, [](int) { return 60'000.0; }, 1, 1);
  CHECK(refusal([&] { watch({.file = path}); }) ==
        path +
            ": step: the only step, of 1 min, holds the warm-up of its job: no other is printed "
            "yet");
}
