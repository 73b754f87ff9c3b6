#include "sim/config/load.hpp"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/read_workload_parts.hpp"
#include "sim/config/workload_layers.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace config {
namespace {

void read_point(Fields& fields, ReferencePoint& point) {
  read_positive(fields, "batch", point.batch);
  read_positive(fields, "samples", point.samples);
  read_in(range::not_negative, fields, "standard_deviation", point.standard_deviation);
  read_in(range::at_least_one, fields, "runs", point.runs);
}

std::vector<ReferencePoint> read_convergence(const YamlNode& node) {
  std::vector<ReferencePoint> points;
  for (const YamlNode& item : node.items()) {
    ReferencePoint point;
    Fields fields = item.fields();
    read_point(fields, point);
    fields.done();
    if (!points.empty() && point.batch <= points.back().batch) item.fail("batches must ascend");
    points.push_back(point);
  }
  if (points.size() < 2) node.fail("needs at least two reference points");
  return points;
}

std::vector<ReplacedPoint> read_replaced(const YamlNode& node,
                                         std::span<const ReferencePoint> newest) {
  std::vector<ReplacedPoint> replaced;
  for (const YamlNode& item : node.items()) {
    ReplacedPoint old;
    Fields fields = item.fields();
    read_positive(fields, "last_round", old.last_round);
    read_point(fields, old.point);
    fields.done();
    if (std::none_of(newest.begin(), newest.end(),
                     [&](const ReferencePoint& p) { return p.batch == old.point.batch; }))
      item.fail(fmt::format("'convergence' has no point of batch {:g} that replaced it",
                            old.point.batch));
    replaced.push_back(old);
  }
  return replaced;
}

/// Reads the target, evaluation and convergence of a workload. Without reference points it needs no
/// evaluation: its steps are predicted, but not its time to train.
void read_target(Fields& fields, Workload& workload) {
  const auto convergence = fields.optional_child("convergence");
  if (convergence) workload.convergence = read_convergence(*convergence);
  if (const auto replaced = fields.optional_child("replaced_convergence"))
    workload.replaced_convergence = read_replaced(*replaced, workload.convergence);
  const auto evaluation =
      convergence ? fields.child("evaluation") : fields.optional_child("evaluation");
  workload.evaluation.mode = EvaluationMode::Offline;
  if (evaluation) workload.evaluation = read_evaluation(*evaluation);
}

void check_parameter_sums(const YamlNode& root, const Workload& workload) {
  double all = 0;
  double trainable = 0;
  for (const Layer& layer : workload.layers) {
    all += layer.parameters * layer.count;
    trainable += layer.trainable_parameters * layer.count;
  }
  if (all != workload.parameters)
    root.fail(fmt::format("the layers have {:.0f} parameters, 'parameters' says {:.0f}", all,
                          workload.parameters));
  if (trainable != workload.trainable_parameters)
    root.fail(
        fmt::format("the layers have {:.0f} trainable parameters, "
                    "'trainable_parameters' says {:.0f}",
                    trainable, workload.trainable_parameters));
}

/// Ways in which the workload's software can split a model over accelerators.
enum class Split { Tensor, Context };
constexpr std::array<std::pair<std::string_view, Split>, 2> split_names{
    {{"tensor", Split::Tensor}, {"context", Split::Context}}};

/// Reads the layers from a model with a file of its own.
void read_model_use(Fields& fields, const YamlNode& named, const std::filesystem::path& configs,
                    Workload& workload) {
  std::string name;
  named.read(name);
  const Model model = [&] {
    try {
      return find_model(configs, name);
    } catch (const InputError& error) {
      named.fail(error.what());
    }
  }();
  Sourced<double> samples{1, "one of the model's"};
  Sourced<double> attention{1, "all of a sequence's"};
  if (fields.has("samples_per_sequence")) read_positive(fields, "samples_per_sequence", samples);
  if (fields.has("attention_share")) read_in(range::share, fields, "attention_share", attention);
  const ModelUse use{.samples_per_sequence = samples, .attention_share = attention};
  workload.model = model.name;
  workload.layers = workload_layers(model, use);
  for (const Layer& layer : workload.layers) {
    workload.parameters += layer.parameters * layer.count;
    workload.trainable_parameters += layer.trainable_parameters * layer.count;
  }
  workload.parameters = std::round(workload.parameters);
  workload.trainable_parameters = std::round(workload.trainable_parameters);
  if (const auto splits = fields.optional_child("splits"))
    for (const YamlNode& item : splits->items()) {
      Split split{};
      item.read_choice(split, split_names);
      if (split == Split::Tensor) workload.tensor_parallel = tensor_traffic(model, use);
      if (split == Split::Context) workload.context_parallel = context_traffic(model, use);
    }
}

/// Reads the plan and stack of simulated steps: names of files beside the workload's folder.
SimulatedSteps read_simulated(const YamlNode& node, const std::filesystem::path& configs,
                              const std::string& model) {
  std::string plan;
  std::string stack;
  Fields fields = node.fields();
  fields.required("plan", plan).required("stack", stack);
  std::optional<Sourced<Bytes>> gradient_bucket;
  read_positive(fields, "gradient_bucket", gradient_bucket);
  fields.done();
  try {
    const PlanFile file = find_plan(configs, plan);
    KernelProfile kernels = find_kernel_profile(configs, stack);
    // Submitters' steps scatter differently from the stack's own, so the default discrepancy
    // applies.
    kernels.uncertainty.discrepancy = default_discrepancy;
    kernels.uncertainty.of_mixtures = default_mixture_discrepancy;
    if (gradient_bucket) kernels.state_gradient_bucket(*gradient_bucket);
    SimulatedSteps steps{.model = as_run_by(kernels.framework_defaults, find_model(configs, model)),
                         .plan = file.split,
                         .kernels = kernels};
    if (!file.micro_batch) throw InputError({}, "plan", "'" + plan + "' states no micro_batch");
    steps.plan.micro_batch = *file.micro_batch;
    layer_work(steps.model, steps.plan);  // throws if the plan does not divide the model
    return steps;
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

/// Reads layers that the file lists itself.
void read_own_layers(Fields& fields, Workload& workload) {
  read_positive(fields, "parameters", workload.parameters);
  read_positive(fields, "trainable_parameters", workload.trainable_parameters);
  for (const YamlNode& item : fields.child("layers").items())
    workload.layers.push_back(read_layer(item));
  if (const auto tensor = fields.optional_child("tensor_parallel"))
    workload.tensor_parallel = read_tensor_parallel(*tensor);
  if (const auto context = fields.optional_child("context_parallel"))
    workload.context_parallel = read_context_parallel(*context);
  check_parameter_sums(fields.map(), workload);
}

}  // namespace

Workload read_workload(const YamlNode& root, const std::filesystem::path& configs) {
  Workload workload;
  Fields fields = root.fields();
  fields.required("name", workload.name).required("title", workload.title);
  fields.optional("aliases", workload.aliases);
  fields.required("sample", workload.sample).required("target", workload.target);
  if (const auto model = fields.optional_child("model"))
    read_model_use(fields, *model, configs, workload);
  else
    read_own_layers(fields, workload);
  fields.required_choice("precision", workload.precision, precision_names);
  fields.optional_choice("cuda_graphs", workload.cuda_graphs, cuda_graph_names);
  if (const auto simulated = fields.optional_child("simulated")) {
    if (workload.model.empty())
      simulated->fail("needs 'model', whose dimensions say what a step does");
    workload.simulated = read_simulated(*simulated, configs, workload.model);
  } else {
    workload.gradients = read_gradients(fields.child("gradients"));
    workload.optimizer = read_optimizer(fields.child("optimizer"));
  }
  read_target(fields, workload);
  fields.done();
  return workload;
}

Workload load_workload(const std::filesystem::path& file, const std::filesystem::path& configs) {
  return read_workload(YamlNode::load(file), configs);
}

}  // namespace config
}  // namespace tofn
