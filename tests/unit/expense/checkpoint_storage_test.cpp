#include <cmath>

#include "sim/expense/expense.hpp"
#include "sim/expense/interruptions.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/expense/toy_cluster.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A million seconds in which nothing computes.
Activity long_run() {
  Activity activity;
  activity.idle = Seconds{1e6};
  return activity;
}

/// 800 GB of 64 accelerators on 8 nodes: 12.5 GB a rank.
const CheckpointedJob job{
    .bytes = Bytes{800e9}, .accelerators = 64, .nodes = 8, .host_link = BytesPerSecond{50e9}};
const double copy = 0.31 + 12.5 / 2.27;

}  // namespace

TEST_CASE("a checkpoint is written at the bandwidth of the file system or of its writers") {
  const auto write = [](const CheckpointStorage& storage) {
    return checkpoint_times(storage, job).write.base();
  };
  const BytesPerSecond fast{100e9};
  const BytesPerSecond slow{10e9};
  CHECK_THAT(write({.all = fast}), WithinRel(8, 1e-12));
  CHECK_THAT(write({.node = slow}), WithinRel(10, 1e-12));
  CHECK_THAT(write({.all = fast, .node = slow}), WithinRel(10, 1e-12));
  CHECK_THAT(write({.all = slow, .node = slow}), WithinRel(80, 1e-12));
  CHECK_THAT(write({.all = fast, .node = slow, .layout = CheckpointLayout::Gathered}),
             WithinRel(80, 1e-12));
}

TEST_CASE("steps wait for the copy, and for the write unless it is asynchronous") {
  CheckpointStorage storage{.all = BytesPerSecond{100e9}};
  CHECK_THAT(checkpoint_times(storage, job).blocks.base(), WithinRel(copy + 8, 1e-12));
  storage.mode = CheckpointMode::Async;
  const CheckpointTimes times = checkpoint_times(storage, job);
  CHECK_THAT(times.blocks.base(), WithinRel(copy, 1e-12));
  CHECK_THAT(times.read.base(), WithinRel(8, 1e-12));
  storage.layout = CheckpointLayout::Gathered;
  CHECK_THAT(checkpoint_times(storage, job).blocks.base(), WithinRel(0.31 + 800 / 2.27, 1e-12));
}

TEST_CASE("a slow host link bounds the copy") {
  CheckpointedJob slow = job;
  slow.host_link = BytesPerSecond{1e9};
  CHECK_THAT(checkpoint_times({.all = BytesPerSecond{1e12}, .mode = CheckpointMode::Async}, slow)
                 .blocks.base(),
             WithinRel(0.31 + 12.5, 1e-12));
}

TEST_CASE("what an interruption costs more than the restart lengthens the run by Daly's formula") {
  const Interruptions by{.mean_between = Seconds{1000},
                         .checkpoint = Seconds{10},
                         .restart = Seconds{100},
                         .recovery = Seconds{50}};
  const double segments = 5 * (std::exp(210.0 / 1000) - 1) - (std::exp(210.0 / 1000) - 1) +
                          (std::exp(200.0 / 1000) - 1);
  CHECK_THAT(interrupted(Seconds{1000}, by, Seconds{200}).expected.base(),
             WithinRel(1000 * std::exp(150.0 / 1000) * segments, 1e-9));
}

TEST_CASE("the best interval is at least the time in which a checkpoint is written") {
  Interruptions by{
      .mean_between = Seconds{10000}, .checkpoint = Seconds{0.5}, .restart = Seconds{100}};
  const Seconds run{1e6};
  const Seconds free = interrupted(run, by).checkpoint_every.value();
  CHECK_THAT(free.base(), WithinRel(std::sqrt(2 * 0.5 * 10000), 0.02));
  by.least_interval = Seconds{300};
  const Seconds bound = interrupted(run, by).checkpoint_every.value();
  CHECK(bound >= Seconds{300});
  CHECK(bound < Seconds{305});
}

TEST_CASE("checkpoints cannot be more frequent than they are written beside the steps") {
  const Cluster cluster = toy_cluster();
  ExpenseOptions options{.checkpoint_every = Seconds{60}};
  options.storage = {.all = BytesPerSecond{1e9}, .mode = CheckpointMode::Async};
  options.checkpoint_times = checkpoint_times(options.storage, job);
  CHECK_THAT(refusal([&] { expense_of(cluster, 64, long_run(), Basis::Formula, options); }),
             ContainsText("--checkpoint-every: must be at least 13.3 min"));
}

TEST_CASE("an asynchronous checkpoint loses the steps beside its write at a failure") {
  const Cluster cluster = toy_cluster();
  ExpenseOptions options{};
  options.storage = {.all = BytesPerSecond{10e9}, .mode = CheckpointMode::Async};
  options.checkpoint_times = checkpoint_times(options.storage, job);
  options.checkpoint = options.checkpoint_times->blocks;
  const auto interruptions = [&] {
    return expense_of(cluster, 64, long_run(), Basis::Formula, options).interruptions;
  };
  CHECK_THAT(interruptions().recovery.base(), WithinRel(160, 1e-12));
  CHECK_THAT(interruptions().least_interval.base(), WithinRel(80, 1e-12));
  options.storage.mode = CheckpointMode::Sync;
  CHECK_THAT(interruptions().recovery.base(), WithinRel(80, 1e-12));
  CHECK(interruptions().least_interval == Seconds{});
}
