#include "sim/sweep/sweep_sources.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/config/load.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/sweep/point_inputs.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_change.hpp"

namespace tofn {
inline namespace sweep {
namespace {

namespace fs = std::filesystem;

/// Plans that state nothing, for axes to change. That of a workload is data parallel, and for a
/// model the missing parts are chosen.
const char* const plain_plan =
    "name: data-parallel\ntensor_parallel: 1 [assumed]\ncontext_parallel: 1 [assumed]\n";
const char* const open_plan = "name: chosen\n";

YamlNode open_file(const fs::path& configs, std::string_view folder, std::string_view what,
                   const std::string& name) {
  return YamlNode::load(file_named(configs, folder, what, name));
}

/// Runs `f` and rethrows its InputError with the place of the axis and what its file calls it.
template <class F>
void at_axis(const Axis& axis, const F& f) {
  try {
    f();
  } catch (const InputError& error) {
    std::string problem = error.what();
    const std::string key = axis.path.substr(axis.path.rfind('.') + 1) + ": ";
    if (problem.starts_with(key)) problem.erase(0, key.size());
    const bool is_word = whole_path(axis.name) == axis.path;
    throw InputError(axis.location, "axes",
                     fmt::format("{}: {}", is_word ? axis.name : axis.path, problem));
  }
}

/// Name of the calibration with which collectives follow formulas.
constexpr std::string_view no_calibration = "none";
constexpr const char* passes_are_learned =
    "changes nothing of a workload, whose passes are fitted to runs";
constexpr std::size_t most_checked = 64;  // values of an axis read before a sweep begins

/// InputError if an axis's path is neither a key of the base nor a thing and its field, or if a
/// value does not suit its key.
void check_key(const Axis& axis, const std::vector<std::string>& keys,
               const std::vector<std::string>& things) {
  const std::size_t dot = axis.path.find('.');
  const std::string first = axis.path.substr(0, dot);
  const auto& valid = dot == std::string::npos ? keys : things;
  if (std::ranges::find(valid, first) == valid.end())
    throw InputError(unknown_name(dot == std::string::npos ? "field" : "thing", first, valid));
  if (dot != std::string::npos || std::ranges::find(things, first) != things.end()) return;
  if (axis.multiplies) throw InputError("say its values themselves, by path");
  const auto key = std::ranges::find(request_keys, first, &RequestKey::name);
  for (const std::string& value : axis.values) {
    if (key->kind == RequestKind::Amount) amount_in(*key, value);
    if (key->kind == RequestKind::Count) whole_number(value);
    RunCosts costs;
    if (key->kind == RequestKind::Cost) key->tell(costs, value);
  }
}

/// Name of the plan, absent if none is needed. A sweep of models always has one, because stacks
/// decide how it runs.
std::optional<std::string> plan_name(const Sweep& sweep) {
  const auto axes = sweep.axes();
  const bool is_requested_for =
      sweep.asks_for(&Request::model) || !sweep.base.plan_words.empty() ||
      std::ranges::any_of(axes, [](const Axis* axis) { return axis->path.starts_with("plan."); });
  if (sweep.base.plan || !is_requested_for) return sweep.base.plan;
  return "";
}

YamlNode with_word(const YamlNode& plan, const Axis& word) {
  return with_text(plan, word.path.substr(word.path.find('.') + 1), word.values.front());
}

/// Plan of that name, with the base's words of the plan set in it.
YamlNode plan_document(const fs::path& configs, const Sweep& sweep, const std::string& name) {
  const Request& base = sweep.base;
  const bool is_of_models = sweep.asks_for(&Request::model);
  YamlNode plan = name.empty() ? YamlNode::parse(is_of_models ? open_plan : plain_plan, "")
                               : open_file(configs, "plans", "plan", name);
  for (const Axis& word : base.plan_words) plan = with_word(plan, word);
  return plan;
}

/// Model of that name with samples of the base's length. InputError if it cannot have that length.
YamlNode open_model(const fs::path& configs, const Request& base, const std::string& name) {
  YamlNode model = open_file(configs, "models", "model", name);
  if (!base.sequence_length) return model;
  model = with_text(model, "sequence_length", *base.sequence_length);
  read_model(model);
  return model;
}

/// Values of the axis with that key, otherwise the base's name.
std::vector<std::string> names_requested_for(const Sweep& sweep, std::string_view key,
                                             const std::optional<std::string>& base) {
  for (const Axis* axis : sweep.axes())
    if (axis->path == key) return axis->values;
  return base ? std::vector{*base} : std::vector<std::string>{};
}

}  // namespace

SweepSources::SweepSources(const Sweep& sweep, const fs::path& configs, Library& library,
                           const Calibration* calibration, const Measured& measured)
    : sweep_(sweep),
      configs_(configs),
      library_(library),
      calibration_(calibration),
      workload_(sweep, "workload", sweep.base.workload,
                [&](const std::string& name) {
                  workloads_[name] = &library.workload_or_file(name);
                  return open_file(configs, "workloads", "workload",
                                   is_file_name(name) ? name : workloads_[name]->name);
                }),
      model_(sweep, "model", sweep.base.model,
             [&](const std::string& name) { return open_model(configs, sweep.base, name); }),
      cluster_(
          sweep, "cluster", sweep.base.cluster,
          [&](const std::string& name) { return open_file(configs, "clusters", "cluster", name); }),
      accelerator_(sweep, "accelerator", {}, {}),
      plan_(sweep, "plan", plan_name(sweep),
            [&](const std::string& name) { return plan_document(configs, sweep, name); }),
      calibration_name_(sweep, "calibration", sweep.base.calibration, {}),
      stack_(sweep, "stack", sweep.base.stack.value_or(std::string(default_stack)),
             [&](const std::string& name) { return open_file(configs, "stacks", "stack", name); }) {
  if (accelerator_.has_changes())
    for (const fs::path& file : files_in(configs, "accelerators")) {
      const YamlNode root = YamlNode::load(file);
      accelerator_files_.emplace(read_accelerator(root).name, root);
    }
  check_base();
  read_measured(library, measured);
  check_paths();
}

void SweepSources::check_base() const {
  const Request& base = sweep_.base;
  const auto fail = [&](std::string_view problem) {
    throw InputError(base.location, "base", problem);
  };
  if (workload_.is_absent() == model_.is_absent()) fail("needs a workload or a model, one of them");
  for (const auto& [key, document] :
       {std::pair{"workload", &workload_}, {"model", &model_}, {"cluster", &cluster_}})
    if (document->has_changes() && !document->is_named())
      fail(fmt::format("needs a {}, which axes change", key));
  if (cluster_.is_absent()) fail("needs a cluster");
  const bool batch = sweep_.asks_for(&Request::batch);
  const bool replica_batch = sweep_.asks_for(&Request::replica_batch);
  if (batch && replica_batch) fail("says batch and replica_batch: leave one out");
  if (sweep_.asks_for(&Request::accelerators) && sweep_.asks_for(&Request::replicas))
    fail("says accelerators and dp, which follows from them: leave one out");
  for (const Axis& word : base.plan_words) try {
      const StatedPlan plan = read_plan(with_word(YamlNode::parse(plain_plan, ""), word));
      for (const auto& [name, workload] : workloads_) {
        require_known_plan(*workload, plan.split);
        if (plan.micro_batch) throw InputError(passes_are_learned);
      }
    } catch (const InputError& error) {
      throw InputError(word.location, fmt::format("base.{}", word.name), error.what());
    }
  if (!is_of_models()) return check_of_workload();
  if (!batch && !replica_batch) fail("of a model needs batch or replica_batch");
}

/// InputError if a setting has no effect on a workload.
void SweepSources::check_of_workload() const {
  const Request& base = sweep_.base;
  const auto fail = [&](std::string_view problem) {
    throw InputError(base.location, "base", problem);
  };
  for (const Axis* axis : sweep_.axes())
    if (axis->path.starts_with("stack") || axis->path == "plan.micro_batch")
      throw InputError(axis->location, "axes",
                       fmt::format("{} {}", axis->path, passes_are_learned));
  if (sweep_.asks_for(&Request::trains))
    fail("says what it trains, which changes nothing of a workload: it trains to its target");
  if (base.stack) fail("says stack, which changes nothing of a workload");
  if (base.sequence_length) fail("says sequence_length, which changes nothing of a workload");
}

void SweepSources::read_measured(Library& library, const Measured& measured) {
  const auto axes = sweep_.axes();
  const auto axis =
      std::ranges::find_if(axes, [](const Axis* each) { return each->path == "calibration"; });
  const Location& place = axis == axes.end() ? sweep_.base.location : (*axis)->location;
  for (const std::string& name :
       names_requested_for(sweep_, "calibration", sweep_.base.calibration))
    for (const std::string& cluster : names_requested_for(sweep_, "cluster", sweep_.base.cluster))
      try {
        if (name == no_calibration) continue;
        const Cluster base = library.cluster(cluster);
        auto machine = *measured(base, name).measured;
        const bool is_changed = cluster_.has_changes() || accelerator_.has_changes();
        if (is_changed && !machine.on) machine.on = base;
        measured_[{name, cluster}] = std::make_shared<const MeasuredMachine>(std::move(machine));
      } catch (const InputError& error) {
        throw InputError(place, "calibration", error.what());
      }
}

namespace {

/// Reads an axis's value. A peak below a measured product fails; the message then suggests to scale
/// the product too.
void read_axis(PointInputs& inputs, const Axis& axis, const Positions& at) try {
  inputs.read(axis.path, at);
} catch (const InputError& error) {
  if (axis.multiplies || !axis.path.starts_with("accelerator.peak.")) throw;
  throw InputError(
      fmt::format("{}; `multiply: {}` takes measured products along", error.what(), axis.path));
}

}  // namespace

void SweepSources::check_paths() {
  std::vector<std::string> things{"accelerator"};
  std::vector<std::string> keys;
  for (const RequestKey& key : request_keys) {
    keys.emplace_back(key.name);
    if (key.kind == RequestKind::Thing) things.emplace_back(key.name);
  }
  for (const PlanKey& word : plan_keys()) keys.emplace_back(word.word);
  keys.emplace_back("sequence_length");
  for (const Axis* axis : sweep_.axes()) at_axis(*axis, [&] { check_key(*axis, keys, things); });
  PointInputs inputs(*this);
  Positions positions(sweep_.groups.size());
  for (const PlacedAxis& placed : placed_axes(sweep_)) {
    const std::size_t values = placed.axis->values.size();
    const std::size_t stride = std::max<std::size_t>(1, values / most_checked);
    for (std::size_t i = 0; i < values; i += stride) {
      positions[placed.group] = i;
      at_axis(*placed.axis, [&] { read_axis(inputs, *placed.axis, positions); });
    }
    positions[placed.group] = 0;
  }
}

}  // namespace sweep
}  // namespace tofn
