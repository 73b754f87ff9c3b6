#include "sim/config/load_run.hpp"

#include <algorithm>
#include <numeric>

#include "sim/config/load.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/read_run_phases.hpp"
#include "sim/core/error.hpp"
#include "sim/training/critical_batch.hpp"

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

/// What the run trains, of which model and by which plan.
RunFrame read_frame(Fields& fields, const fs::path& configs) {
  RunFrame frame{.configs = configs};
  const YamlNode model = fields.child("model");
  model.read(frame.model);
  try {
    find_model(configs, frame.model);
  } catch (const InputError& error) {
    model.fail(error.what());
  }
  if (const auto plan = fields.optional_child("plan"))
    frame.plan = read_plan_choice(*plan, configs, frame.plan);
  frame.trains = fields.optional_child("trains");
  if (const auto target = fields.optional_child("target"))
    frame.target = read_target(*target, configs);
  if (frame.trains && frame.target)
    frame.target->node.fail("says what it trains as well as 'trains': leave one out");
  if (const auto node = fields.optional_child("epoch")) {
    const Amount amount = read_amount(*node, "1281167 samples");
    if (amount.of != Counted::Samples) node->fail("an epoch is of samples");
    frame.epoch = amount.value;
  }
  return frame;
}

/// What stands beside the phases.
void read_around(Fields& fields, RunFile& run) {
  if (const auto node = fields.optional_child("evaluation")) {
    Fields evaluation = node->fields();
    run.evaluation.every = read_amount(evaluation.child("every"), "1000 steps");
    run.evaluation.takes = read_amount(evaluation.child("takes"), "512 samples");
    evaluation.done();
  }
  if (const auto node = fields.optional_child("input")) {
    Fields input = node->fields();
    read_positive(input, "samples_per_s_of_a_node", run.input_rate.emplace());
    input.done();
  }
  if (fields.has("start_up")) read_positive(fields, "start_up", run.start_up);
  if (const auto node = fields.optional_child("failures")) {
    Fields failures = node->fields();
    read_positive(failures, "every", run.interruptions.time_to_failure);
    read_positive(failures, "restart", run.interruptions.restart);
    failures.done();
  }
  if (const auto node = fields.optional_child("checkpoints")) {
    Fields checkpoints = node->fields();
    read_positive(checkpoints, "every", run.interruptions.checkpoint_every);
    read_positive(checkpoints, "takes", run.interruptions.checkpoint);
    checkpoints.done();
  }
  if (const auto node = fields.optional_child("critical_batch"))
    run.critical_batch = read_batch_amount(*node, "20M tokens");
}

}  // namespace

double RunPhase::samples() const {
  return std::accumulate(stretches.begin(), stretches.end(), 0.0,
                         [](double sum, const BatchStretch& each) { return sum + each.samples; });
}

double RunFile::samples() const {
  double sum = 0;
  for (const RunPhase& phase : phases) sum += phase.samples();
  return sum;
}

double RunFile::tokens() const {
  double sum = 0;
  for (const RunPhase& phase : phases) sum += phase.samples() * phase.model.sequence_length;
  return sum;
}

bool is_run(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& entry) { return entry.first == "phases"; });
}

RunFile load_run(const fs::path& file, const fs::path& configs) {
  RunFile run;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", run.name).optional("title", run.title);
  fields.optional("stack", run.stack);
  const RunFrame frame = read_frame(fields, configs);
  run.phases = read_run_phases(fields.child("phases"), frame);
  if (frame.target)
    if (const auto law = fit_batch_law(frame.target->points))
      run.critical_batch = Amount{law->critical_batch, Counted::Samples};
  read_around(fields, run);
  fields.done();
  return run;
}

RunFile find_run(const fs::path& configs, std::string_view name_or_file) {
  return load_run(file_named(configs, "runs", "run", name_or_file), configs);
}

}  // namespace config
}  // namespace tofn
