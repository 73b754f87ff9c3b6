#include "sim/config/load_run.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sim/config/file_keys.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/read_run_phases.hpp"
#include "sim/core/error.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

RunTarget read_target(const YamlNode& node, const fs::path& configs) {
  RunTarget target{.node = node, .points = {}};
  std::string name;
  node.read(name);
  try {
    const fs::path file = file_named(configs, "workloads", "workload", name);
    target.points = load_workload(file, configs).convergence;
    if (target.points.empty()) throw InputError("workload " + name + " states no reference points");
    double packed = 1;
    for (const auto& [key, value] : YamlNode::load(file).entries())
      if (key == "samples_per_sequence") value.read(packed);
    for (ReferencePoint& point : target.points) {
      point.batch /= packed;
      point.samples /= packed;
    }
  } catch (const InputError& error) {
    node.fail(error.what());
  }
  return target;
}

void read_epoch(const YamlNode& node, RunFrame& frame) {
  const Amount amount = read_amount(node, "1281167 samples");
  if (amount.of != Counted::Samples) node.fail("an epoch is of samples");
  frame.epoch = amount.value;
}

void read_model_name(const YamlNode& node, RunFrame& frame) {
  node.read(frame.model);
  try {
    find_model(frame.configs, frame.model);
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

/// Rows of what the run trains: its model, plan and amount.
template <class Walk>
void frame_rows(Walk& walk, RunFrame& frame) {
  walk.with({"model", "model that the run trains", true}, "a name of models/, or a file",
            [&](const YamlNode& node) { read_model_name(node, frame); });
  walk.with({"plan", "plan of all phases"}, "a name of plans/, or a map of rows",
            [&](const YamlNode& node) {
              frame.plan = read_plan_choice(node, frame.configs, frame.plan);
            });
  walk.with({"trains", "amount that all phases train together"}, "such as 2T tokens",
            [&](const YamlNode& node) { frame.trains = node; });
  walk.with({"target", "workload whose reference points say how much the run trains"},
            "a name of workloads/", [&](const YamlNode& node) {
              frame.target = read_target(node, frame.configs);
              if (frame.trains) node.fail("says what it trains as well as 'trains': leave one out");
            });
  walk.with({"epoch", "samples of an epoch"}, "such as 1281167 samples",
            [&](const YamlNode& node) { read_epoch(node, frame); });
}

/// Rows beside the phases: evaluation, input and interruptions.
template <class Walk>
void around_rows(Walk& walk, StatedRun& run) {
  walk.map({"evaluation", "evaluations between steps"}, [&](auto& evaluation) {
    evaluation.with(
        {"every", "training from one evaluation to the next", true}, "such as 1000 steps",
        [&](const YamlNode& node) { run.evaluation.every = read_amount(node, "1000 steps"); });
    evaluation.with(
        {"takes", "samples or tokens of one evaluation", true}, "such as 512 samples",
        [&](const YamlNode& node) { run.evaluation.takes = read_amount(node, "512 samples"); });
  });
  walk.map({"input", "input pipeline of the nodes"}, [&](auto& input) {
    input({"samples_per_s_of_a_node", "samples that a node's host prepares each second", true,
           range::positive},
          run.input_rate);
  });
  walk({"start_up", "time before the first step", false, range::positive}, run.start_up);
  walk.map({"failures", "failures of the job"}, [&](auto& failures) {
    failures({"every", "mean time to a failure of one accelerator", false, range::positive},
             run.interruptions.time_to_failure);
    failures({"restart", "time until the job computes again", false, range::positive},
             run.interruptions.restart);
  });
  walk.map({"checkpoints", "checkpoints that a restart resumes from"}, [&](auto& checkpoints) {
    checkpoints({"every", "time between checkpoints (default: the interval that loses the least)",
                 false, range::positive},
                run.interruptions.checkpoint_every);
    checkpoints({"takes", "time to write a checkpoint", false, range::positive},
                run.interruptions.checkpoint);
    CheckpointStorage& storage = run.interruptions.storage;
    checkpoints({"storage", "bandwidth of the file system (default: that of the nodes)", false,
                 range::positive},
                storage.all);
    checkpoints(
        {"node_bandwidth", "bandwidth of a node to the file system (default: the file system's)",
         false, range::positive},
        storage.node);
    checkpoints({"mode",
                 "sync: steps wait for the write (the default), async: for the copy to "
                 "host memory"},
                storage.mode);
    checkpoints({"layout", "sharded: every rank writes (the default), gathered: one does"},
                storage.layout);
  });
  walk.with(
      {"critical_batch", "batch at which a loss takes twice the samples of very small batches"},
      "such as 20M tokens",
      [&](const YamlNode& node) { run.critical_batch = read_batch_amount(node, "20M tokens"); });
}

/// Rows of the run's name and software.
template <class Walk>
void name_rows(Walk& walk, StatedRun& run) {
  walk({"name", "name of the run", true}, run.name);
  walk({"title", "a line for people"}, run.title);
  walk({"stack", "stack of the software that runs it, by its name in stacks/"}, run.stack);
}

}  // namespace

bool is_run(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return std::ranges::any_of(entries, [](const auto& entry) { return entry.first == "phases"; });
}

StatedRun load_run(const fs::path& file, const fs::path& configs) {
  StatedRun run;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  FieldReader reader(fields);
  name_rows(reader, run);
  RunFrame frame{.configs = configs};
  frame_rows(reader, frame);
  run.phases = read_run_phases(fields.child("phases"), frame);
  if (frame.target)
    if (const auto law = fit_batch_law(frame.target->points))
      run.critical_batch = Amount{law->critical_batch, Counted::Samples};
  around_rows(reader, run);
  fields.done();
  if (run.phases.front().rl)
    for (const std::string_view key : {"evaluation", "input", "critical_batch"})
      for (const auto& [name, node] : root.entries())
        if (name == key) node.fail(fmt::format("'{}' does nothing in RL post-training", key));
  if (run.interruptions.checkpoint && run.interruptions.storage.is_known())
    throw InputError({file.string()}, "checkpoints.takes",
                     "is what the storage's bandwidth says: state one of them");
  return run;
}

void list_run_keys(std::vector<FileKey>& keys) {
  FieldLister lister("run", keys);
  StatedRun run;
  run.interruptions = {.time_to_failure = default_time_to_failure,
                       .restart = default_restart,
                       .checkpoint = default_checkpoint};
  const fs::path nowhere;
  RunFrame frame{.configs = nowhere};
  name_rows(lister, run);
  frame_rows(lister, frame);
  list_phase_keys(lister);
  around_rows(lister, run);
}

StatedRun find_run(const fs::path& configs, std::string_view name_or_file) {
  return load_run(file_named(configs, "runs", "run", name_or_file), configs);
}

}  // namespace config
}  // namespace tofn
