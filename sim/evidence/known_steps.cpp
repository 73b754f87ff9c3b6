#include "sim/evidence/known_steps.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/file.hpp"
#include "sim/core/parallel.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Noise of a row relative to trust A; it is larger for sources that state less.
double noise_of(const std::string& trust) { return trust == "C" ? 3 : trust == "B" ? 1.2 : 1; }

/// Key of the steps that may differ only in their plans.
std::string job_of(const StepCaseRow& row) {
  const Model& model = row.step.model;
  const TransformerLayers& layers = body_of(row);
  return fmt::format("{}|{}|{}|{}x{}|{}|{}|{}|{}|{}|{}", row.stack, row.accelerator, widths_of(row),
                     layers.count, layers.heads, layers.key_value_heads, parameters(model),
                     to_text(model.precision), row.step.plan.accelerators(),
                     row.step.plan.global_batch(), model.sequence_length);
}

/// Key of a measurement, the same in every file that has it.
std::string identity_of(const StepCaseRow& row) {
  const Plan& plan = row.step.plan;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", row.stack, row.step.model.name, row.accelerator,
                     to_text(row.step.model.precision), plan.accelerators(), plan.global_batch(),
                     plan.micro_batch, row.step.model.sequence_length, row.step.measured->base());
}

/// Memory of a row and its prediction. If a stack does not state which memory it reports, the
/// reserved one is assumed.
std::optional<ScoredMemory> memory_of(const StepCaseRow& row, const StepCase& step,
                                      const KernelProfile& stack) {
  if (!row.measured_peak) return {};
  const Plan computed = computed_plan(step.plan, step.model, step.cluster.accelerator);
  const MemoryReading reading = row.peak_reading.value_or(
      stack.framework_defaults.reported_memory.value_or(MemoryReading::Reserved));
  const std::vector<LayerWork> layers = layer_work(step.model, computed);
  const MemoryProfile profile = memory_profile(step.model, step.plan, step.cluster, stack);
  const Footprint held = row.peak_is_of_last_stage
                             ? footprints(layers, step.plan, profile).back()
                             : largest_footprint(layers, step.plan, profile, reading);
  return ScoredMemory{
      .measured = *row.measured_peak, .predicted = held.total(reading), .reading = reading};
}

ScoredStep unscored(const StepCaseRow& row, std::optional<ScoredMemory> memory = {}) {
  return {.stack = row.stack,
          .model = row.step.model.name,
          .accelerator = row.accelerator,
          .precision = std::string(to_text(row.step.model.precision)),
          .source = row.source,
          .trust = trust_of(row.source),
          .job = job_of(row),
          .plan = row.step.plan,
          .has_experts = body_of(row).experts > 1,
          .accelerators = row.step.plan.accelerators(),
          .measured = row.step.measured ? row.step.measured->base() : 0,
          .location = row.location,
          .memory = memory};
}

}  // namespace

std::vector<std::filesystem::path> tables_of_steps(const std::filesystem::path& configs) {
  std::vector<std::filesystem::path> tables;
  for (const auto& entry : sorted_entries(configs / "measured"))
    if (entry.filename().string().starts_with("steps")) tables.push_back(entry);
  return tables;
}

std::string widths_of(const StepCaseRow& row) {
  const TransformerLayers& layers = body_of(row);
  return fmt::format("{}/{}/{}", layers.hidden, layers.feed_forward, layers.experts);
}

std::string trust_of(const std::string& source) {
  return source.size() > 2 && source.front() == '[' ? source.substr(1, 1) : std::string{};
}

StepCase run_by(const KernelProfile& stack, const StepCaseRow& row) {
  StepCase step = row.step;
  step.model = as_run_by(stack.framework_defaults, std::move(step.model));
  step.plan = as_run_by(stack.framework_defaults, step.plan,
                        [&](std::string_view name) { return row.states(name); });
  return step;
}

KnownSteps::KnownSteps(const std::filesystem::path& configs)
    : library_(Library::load(configs)), stacks_(load_stacks(configs)) {
  for (const KernelProfile& stack : stacks_) {
    if (stack.name == default_stack) unknown_ = stack;
    if (!stack.tables.empty()) learning_.push_back(stack);
  }
}

void KnownSteps::read(const std::filesystem::path& table, std::vector<ScoredStep>* scored,
                      std::vector<std::string>* notes) {
  StepCaseTable read = read_step_cases(table, library_, notes);
  // Without scores a refused row would be left out silently.
  if (scored == nullptr && !read.refused.empty()) throw read.refused.front().mistake;
  if (scored != nullptr)
    for (const RefusedStep& refused : read.refused)
      scored->push_back({.skipped_because = refused.why, .location = refused.location});
  for (StepCaseRow& row : read.rows) add(std::move(row), scored);
}

void KnownSteps::prepare() {
  in_parallel(known_.size(), [&](std::size_t i) {
    known_[i].fitted.evaluate_at_default_figures(profile_of(known_[i]));
  });
}

StackFit KnownSteps::fit(const std::function<bool(const KnownStep&)>& is_seen) const {
  std::vector<FittedStep> seen;
  for (const KnownStep& step : known_)
    if (is_seen(step)) seen.push_back(step.fitted);
  return {std::move(seen), learning_};
}

const KernelProfile& KnownSteps::profile_of(const KnownStep& step) const {
  return stack_of(step.fitted, learning_);
}

void KnownSteps::add(StepCaseRow row, std::vector<ScoredStep>* scored) {
  const auto skip = [&](std::string why) {
    if (scored == nullptr) return;
    scored->push_back(unscored(row));
    scored->back().skipped_because = std::move(why);
  };
  if (!row.step.measured) return skip("no step was measured");
  const KernelProfile* found = stack_of_table(stacks_, row.stack, row.accelerator, row.source);
  const KernelProfile stack = found != nullptr ? *found : undescribed(row.stack);
  const StepCase step = run_by(stack, row);
  try {
    closed_step(step, stack);
  } catch (const InputError& mistake) {
    return skip(mistake.what());
  }
  if (scored != nullptr) scored->push_back(unscored(row, memory_of(row, step, stack)));
  const std::string identity = identity_of(row);
  const auto before = known_at_.find(identity);
  if (before != known_at_.end()) {
    if (scored == nullptr) return;
    std::optional<std::size_t>& place = known_[before->second].scored;
    if (place) scored->back().skipped_because = "a row above tells of the same measurement";
    if (!place) place = scored->size() - 1;
    return;
  }
  known_at_[identity] = known_.size();
  known_.push_back(
      {.row = row,
       .fitted = {.step = step,
                  .stack = stack.name,
                  .model = fmt::format("{}|{}", widths_of(row), to_text(row.step.model.precision)),
                  .noise = noise_of(trust_of(row.source))},
       .scored = scored == nullptr ? std::nullopt : std::optional(scored->size() - 1)});
}

/// A stack that no file describes gets a profile of its own.
const KernelProfile& KnownSteps::undescribed(const std::string& name) {
  for (const KernelProfile& each : learning_)
    if (each.name == name) return each;
  learning_.push_back(unknown_);
  learning_.back().name = name;
  return learning_.back();
}

}  // namespace evidence
}  // namespace tofn
