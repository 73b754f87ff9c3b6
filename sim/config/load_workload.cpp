#include "sim/config/load.hpp"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "sim/config/file_keys.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/workload_layers.hpp"
#include "sim/config/workload_rows.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

std::vector<ReferencePoint> read_convergence(const YamlNode& node) {
  std::vector<ReferencePoint> points;
  for (const YamlNode& item : node.items()) {
    ReferencePoint point;
    FieldReader::read_map(item, [&](auto& walk) { reference_point_rows(walk, point); });
    if (!points.empty() && point.batch <= points.back().batch) item.fail("batches must ascend");
    points.push_back(point);
  }
  if (points.size() < 2) node.fail("needs at least two reference points");
  return points;
}

template <class Walk>
void replaced_rows(Walk& walk, ReplacedPoint& of) {
  walk({"last_round", "last round that had the point, such as 4.1", true, range::positive},
       of.last_round);
  reference_point_rows(walk, of.point);
}

std::vector<ReplacedPoint> read_replaced(const YamlNode& node,
                                         std::span<const ReferencePoint> newest) {
  std::vector<ReplacedPoint> replaced;
  for (const YamlNode& item : node.items()) {
    ReplacedPoint old;
    FieldReader::read_map(item, [&](auto& walk) { replaced_rows(walk, old); });
    if (std::ranges::none_of(newest,
                             [&](const ReferencePoint& p) { return p.batch == old.point.batch; }))
      item.fail(fmt::format("'convergence' has no point of batch {:g} that replaced it",
                            old.point.batch));
    replaced.push_back(old);
  }
  return replaced;
}

/// Rows that make a step into a run. A workload without reference points needs no evaluation
/// either: its steps are predicted, its time to train is not.
template <class Walk>
void target_rows(Walk& walk, Workload& of) {
  const bool ends = walk.with(
      {"convergence", "reference points of two batches or more (absent: only steps are predicted)"},
      "list of maps", [&](const YamlNode& node) { of.convergence = read_convergence(node); });
  walk.with({"replaced_convergence", "reference points of older rounds that these replaced"},
            "list of maps", [&](const YamlNode& node) {
              of.replaced_convergence = read_replaced(node, of.convergence);
            });
  of.evaluation.mode = EvaluationMode::Offline;
  walk.with({"evaluation", "evaluations that test for the target, with `convergence`", ends}, "map",
            [&](const YamlNode& node) {
              FieldReader::read_map(node,
                                    [&](auto& inner) { evaluation_rows(inner, of.evaluation); });
              if (of.evaluation.mlperf_bert_interval == of.evaluation.interval.has_value())
                node.fail("needs either interval or interval_rule");
            });
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

/// Parts of a model that the software of the workload can split over accelerators.
enum class Split { Tensor, Context };
constexpr std::array<std::pair<std::string_view, Split>, 2> split_names{
    {{"tensor", Split::Tensor}, {"context", Split::Context}}};
constexpr const auto& names_of(Split) { return split_names; }

/// Keys of a workload whose layers are those of a model.
struct StatedUse {
  Sourced<double> samples{1, "one of the model's"};
  Sourced<double> attention{1, "all of a sequence's"};
  std::vector<Split> splits{};
};
template <class Walk>
void use_rows(Walk& walk, StatedUse& of) {
  walk({"samples_per_sequence", "samples of the workload in one sample of the model (packing)",
        false, range::positive},
       of.samples);
  walk({"attention_share",
        "share of a sequence's attention that is computed: packed samples attend "
        "to themselves",
        false, range::share},
       of.attention);
  walk({"splits", "ways in which the workload's software splits the model over accelerators"},
       of.splits);
}

/// Takes the layers of a model that has a file of its own.
void take_model(const YamlNode& named, const StatedUse& stated,
                const std::filesystem::path& configs, Workload& workload) {
  std::string name;
  named.read(name);
  const Model model = [&] {
    try {
      return find_model(configs, name);
    } catch (const InputError& error) {
      named.fail(error.what());
    }
  }();
  const ModelUse use{.samples_per_sequence = stated.samples, .attention_share = stated.attention};
  workload.model = model.name;
  workload.layers = workload_layers(model, use);
  for (const Layer& layer : workload.layers) {
    workload.parameters += layer.parameters * layer.count;
    workload.trainable_parameters += layer.trainable_parameters * layer.count;
  }
  workload.parameters = std::round(workload.parameters);
  workload.trainable_parameters = std::round(workload.trainable_parameters);
  for (const Split split : stated.splits) {
    if (split == Split::Tensor) workload.tensor_parallel = tensor_traffic(model, use);
    if (split == Split::Context) workload.context_parallel = context_traffic(model, use);
  }
}

/// The setting in which steps are simulated: names of files beside the workload's folder.
struct StatedSimulation {
  std::string plan;
  std::string stack;
  std::optional<Sourced<Bytes>> gradient_bucket;
};
template <class Walk>
void simulation_rows(Walk& walk, StatedSimulation& of) {
  walk({"plan", "plan with its micro_batch, by its name in plans/", true}, of.plan);
  walk({"stack", "stack of the software, by its name in stacks/", true}, of.stack);
  walk({"gradient_bucket", "gradient bucket of its runs (default: the stack's)", false,
        range::positive},
       of.gradient_bucket);
}

SimulatedSteps simulated_steps(const StatedSimulation& stated, const std::filesystem::path& configs,
                               const std::string& model) {
  const StatedPlan file = find_plan(configs, stated.plan);
  KernelProfile kernels = find_kernel_profile(configs, stated.stack);
  // Steps of submitters scatter differently from the own ones of the stack.
  kernels.uncertainty.discrepancy = default_discrepancy;
  kernels.uncertainty.of_mixtures = default_mixture_discrepancy;
  if (stated.gradient_bucket) kernels.state_gradient_bucket(*stated.gradient_bucket);
  SimulatedSteps steps{.model = as_run_by(kernels.framework_defaults, find_model(configs, model)),
                       .plan = file.split,
                       .kernels = kernels};
  if (!file.micro_batch)
    throw InputError({}, "plan", "'" + stated.plan + "' states no micro_batch");
  steps.plan.micro_batch = *file.micro_batch;
  layer_work(steps.model, steps.plan);  // throws if the plan does not divide the model
  return steps;
}

SimulatedSteps read_simulated(const YamlNode& node, const std::filesystem::path& configs,
                              const std::string& model) {
  if (model.empty()) node.fail("needs 'model', whose dimensions say what a step does");
  StatedSimulation stated;
  FieldReader::read_map(node, [&](auto& walk) { simulation_rows(walk, stated); });
  try {
    return simulated_steps(stated, configs, model);
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

template <class Walk>
void name_rows(Walk& walk, Workload& of) {
  walk({"name", "name of the workload", true}, of.name);
  walk({"title", "a line for people", true}, of.title);
  walk({"aliases", "other names of the workload in tables of results"}, of.aliases);
  walk({"sample", "a sample in words: a sequence, an image", true}, of.sample);
  walk({"target", "the quality that ends the run, in words", true}, of.target);
}

/// Rows of layers that the file itself lists.
template <class Walk>
void own_layer_rows(Walk& walk, Workload& of) {
  walk({"parameters", "parameters of all layers, without `model`", true, range::positive},
       of.parameters);
  walk({"trainable_parameters", "parameters that are not frozen, without `model`", true,
        range::positive},
       of.trainable_parameters);
  walk.list({"layers", "layers in forward order, without `model`", true}, "", of.layers,
            [](auto& inner, Layer& layer) { layer_rows(inner, layer); });
  walk.map({"tensor_parallel", "traffic of layers that tensor parallelism splits, without `model`"},
           [&](auto& inner) { tensor_parallel_rows(inner, of.tensor_parallel.emplace()); });
  walk.map(
      {"context_parallel", "traffic of layers that context parallelism splits, without `model`"},
      [&](auto& inner) { context_parallel_rows(inner, of.context_parallel.emplace()); });
}

template <class Walk>
void number_rows(Walk& walk, Workload& of) {
  walk({"precision", "precision of the matrix products", true}, of.precision);
  walk({"cuda_graphs", "part of a step that its software captures as CUDA graphs"}, of.cuda_graphs);
}

/// Rows of the exchange and the update, without `simulated`.
template <class Walk>
void update_rows(Walk& walk, Workload& of) {
  walk.map({"gradients", "reduction of gradients, without `simulated`", true},
           [&](auto& inner) { gradient_rows(inner, of.gradients); });
  walk.map({"optimizer", "update by the optimizer, without `simulated`", true},
           [&](auto& inner) { optimizer_rows(inner, of.optimizer); });
}

}  // namespace

Workload read_workload(const YamlNode& root, const std::filesystem::path& configs) {
  Workload workload;
  Fields fields = root.fields();
  FieldReader walk(fields);
  name_rows(walk, workload);
  if (const auto model = fields.optional_child("model")) {
    StatedUse use;
    use_rows(walk, use);
    take_model(*model, use, configs, workload);
  } else {
    own_layer_rows(walk, workload);
    check_parameter_sums(fields.map(), workload);
  }
  number_rows(walk, workload);
  if (const auto simulated = fields.optional_child("simulated"))
    workload.simulated = read_simulated(*simulated, configs, workload.model);
  else
    update_rows(walk, workload);
  target_rows(walk, workload);
  fields.done();
  return workload;
}

void list_workload_keys(std::vector<FileKey>& keys) {
  FieldLister lister("workload", keys);
  Workload workload;
  StatedUse use;
  StatedSimulation simulation;
  Gemm gemm;
  ReplacedPoint point;
  name_rows(lister, workload);
  lister.with({"model", "name in models/ of the model that it trains"}, "a name of models/",
              [](const YamlNode&) {});
  use_rows(lister, use);
  own_layer_rows(lister, workload);
  lister.inside("layers[].gemms[].", [&](auto& walk) { gemm_rows(walk, gemm); });
  number_rows(lister, workload);
  lister.with({"simulated", "simulates the steps from the model's dimensions, if no node holds it"},
              "map", [](const YamlNode&) {});
  lister.inside("simulated.", [&](auto& walk) { simulation_rows(walk, simulation); });
  update_rows(lister, workload);
  target_rows(lister, workload);
  lister.inside("convergence[].", [&](auto& walk) { reference_point_rows(walk, point.point); });
  lister.inside("replaced_convergence[].", [&](auto& walk) { replaced_rows(walk, point); });
  lister.inside("evaluation.", [&](auto& walk) { evaluation_rows(walk, workload.evaluation); });
}

Workload load_workload(const std::filesystem::path& file, const std::filesystem::path& configs) {
  return read_workload(YamlNode::load(file), configs);
}

}  // namespace config
}  // namespace tofn
