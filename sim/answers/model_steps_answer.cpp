#include "sim/answers/model_steps_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/evidence/step_rows.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/measured_job.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Dimensions of each kind of layer, most layers first.
auto dimensions_of(const Model& model) {
  std::vector<std::array<int, 6>> all;
  for (const PartTraits& part : layer_traits(model)) all.push_back(part.dimensions);
  std::sort(all.rbegin(), all.rend());
  return all;
}

/// Returns why a row does not apply to the subject; empty if it does.
std::string why_left_out(const StepCaseRow& row, const OwnSubject& subject,
                         const std::vector<KernelProfile>& stacks) {
  if (!row.step.measured) return "without a time";
  if (dimensions_of(row.step.model) != dimensions_of(subject.model))
    return "of other layers than " + subject.model.name;
  if (row.step.model.sequence_length != subject.model.sequence_length)
    return fmt::format("of samples of other than {:g} tokens", subject.model.sequence_length);
  const std::string& chip = subject.cluster.accelerator.name;
  if (row.step.cluster.accelerator.name != chip) return "on other accelerators than " + chip;
  const KernelProfile* stack = stack_of_table(stacks, row.stack, row.accelerator, row.source);
  if (!row.stack.empty() && (stack == nullptr || stack->name != subject.stack.name))
    return "of other stacks than " + subject.stack.name;
  return {};
}

bool trains_alike(const Model& a, const Model& b) {
  return trainable_parameters(a) == trainable_parameters(b);
}

void check_requested(const StepCaseRow& row, const Plan& plan, const Plan& request,
                     const std::function<bool(std::string_view)>& is_stated) {
  const auto check = [&](const std::string& option, bool is_same) {
    if (!is_same) throw InputError(row.location, "--" + option, "is not what the row says");
  };
  visit_plan([&](const PlanField& field, auto member) {
    check(field.option(), !is_stated(field.name) || request.*member == plan.*member);
  });
  check("micro-batch", !is_stated("micro_batch") || request.micro_batch == plan.micro_batch);
  check("grad-accum",
        !is_stated("grad_accum") || request.gradient_accumulation == plan.gradient_accumulation);
}

Plan plan_of_row(const StepCaseRow& row, const OwnSubject& subject) {
  Plan plan = as_run_by(subject.stack.framework_defaults, row.step.plan,
                        [](std::string_view) { return false; });
  if (row.step.model.precision != subject.model.precision)
    plan.precision = row.step.model.precision;
  return plan;
}

Seconds default_step(const MeasuredStep& row, const StepCase& step, const KernelProfile& stack) {
  return at_key({}, row.source, [&] { return closed_step(step, stack); });
}

/// InputError at a step that the model cannot have taken: faster than the chip's peak, or far from
/// the stack's prediction.
void check_plausible(const MeasuredStep& row, const OwnSubject& subject, Seconds typical) {
  const Accelerator& chip = subject.cluster.accelerator;
  const Flops work = model_flops(subject.model) * row.plan->global_batch();
  const double used = work / row.step /
                      (chip.peak_at(row.plan->precision.value_or(subject.model.precision)) *
                       row.plan->accelerators());
  constexpr double room = 2.5;  // errors on stacks that were left out of the fit are well within it
  const double slower = row.step / typical;
  if (used <= 1 && slower <= room && slower >= 1 / room) return;
  throw InputError(
      {}, row.source,
      fmt::format("{} in {} on {} {} would be {:.3g} % of their peak, {:.3g} x the time that {} "
                  "is known to take: another model, batch, plan or number of accelerators ran",
                  subject.model.name, to_text(row.step), row.plan->accelerators(), chip.name,
                  100 * used, slower, subject.stack.name));
}

bool is_of_one_job(const MeasuredStep& a, const MeasuredStep& b) {
  if (!a.plan || !b.plan || a.accelerators != b.accelerators || a.global_batch != b.global_batch)
    return false;
  bool is_same = a.plan->micro_batch == b.plan->micro_batch;
  visit_plan(
      [&](const PlanField&, auto member) { is_same &= (*a.plan).*member == (*b.plan).*member; });
  return is_same;
}

}  // namespace

std::vector<MeasuredStep> rows_of_table(const std::filesystem::path& table,
                                        const OwnSubject& subject, const Plan& request,
                                        const std::function<bool(std::string_view)>& is_stated,
                                        const std::filesystem::path& configs,
                                        const Library& library,
                                        std::vector<std::string>& left_out) {
  const StepCaseTable read = read_step_cases(table, library);
  if (!read.refused.empty()) throw read.refused.front().mistake;
  const auto stacks = load_stacks(configs);
  std::vector<MeasuredStep> own;
  std::map<std::string, int> counts;
  for (const StepCaseRow& row : read.rows) {
    if (const std::string why = why_left_out(row, subject, stacks); !why.empty()) {
      ++counts[why];
      continue;
    }
    const Plan plan = plan_of_row(row, subject);
    check_requested(row, plan, request, is_stated);
    own.push_back({.source = to_text(row.location),
                   .accelerators = plan.accelerators(),
                   .global_batch = plan.global_batch(),
                   .step = *row.step.measured,
                   .plan = plan});
  }
  for (const auto& [why, count] : counts) left_out.push_back(counted(count, "row") + ": " + why);
  if (own.empty())
    throw InputError({.file = table.string()}, "",
                     fmt::format("no row is of {} on {} by {}", subject.model.name,
                                 subject.cluster.accelerator.name, subject.stack.name));
  return own;
}

OwnSubject subject_of(const std::filesystem::path& file, const ModelSteps& steps,
                      const std::filesystem::path& configs, Library& library) {
  const Location place{.file = file.string()};
  OwnSubject subject;
  subject.stack = at_key(place, "stack", [&] { return find_kernel_profile(configs, steps.stack); });
  if (subject.stack.uncertainty.covariance.empty())
    throw InputError(
        place, "stack",
        fmt::format("the figures of {} are fitted to no table of steps: measured ones move nothing",
                    subject.stack.name));
  subject.model =
      as_run_by(subject.stack.framework_defaults, at_key(place, "model", [&] {
                  return fine_tuned(find_model(configs, steps.model, steps.sequence_length),
                                    steps.fine_tuning);
                }));
  subject.cluster = at_key(place, "cluster", [&] { return library.cluster(steps.cluster); });
  return subject;
}

std::vector<StepCase> cases_of(const ModelSteps& steps, const OwnSubject& subject) {
  std::vector<StepCase> cases;
  for (const MeasuredStep& row : steps.rows) {
    // Relative standard error of the median of normal values.
    const double error = std::sqrt(std::numbers::pi / 2 / row.steps) * row.spread;
    cases.push_back({.model = subject.model,
                     .plan = *row.plan,
                     .cluster = subject.cluster,
                     .measured = row.step,
                     .measured_error = error});
    check_plausible(row, subject, default_step(row, cases.back(), subject.stack));
  }
  return cases;
}

std::vector<std::string> contradictions(const std::vector<MeasuredStep>& rows) {
  constexpr double far_apart = 0.2;  // steps of one job repeat to a few per cent (assumed)
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const double longer = std::max(rows[i].step / rows[j].step, rows[j].step / rows[i].step);
      if (longer - 1 <= far_apart || !is_of_one_job(rows[i], rows[j])) continue;
      remarks.push_back(fmt::format(
          "WARNING: {} and {} are of one job, and take {} and {} a step, which differ by {:.0f} %: "
          "predictions will lie between them; leave out the one that was disturbed",
          rows[i].source, rows[j].source, to_text(rows[i].step), to_text(rows[j].step),
          100 * (longer - 1)));
    }
  return remarks;
}

KernelProfile sharpened_for(const Model& model, const Accelerator& accelerator,
                            const OwnSubject& subject, std::span<const StepCase> cases) {
  KernelProfile after = sharpened(subject.stack, cases);
  if (model.name == subject.model.name && trains_alike(model, subject.model) &&
      accelerator.name == subject.cluster.accelerator.name) {
    after.measured_jobs = measured_jobs(cases, after);
    return after;
  }
  after.model_factor = subject.stack.model_factor;
  after.chips = subject.stack.chips;
  after.mixture_chips = subject.stack.mixture_chips;
  after.uncertainty.discrepancy = subject.stack.uncertainty.discrepancy;
  after.uncertainty.of_mixtures = subject.stack.uncertainty.of_mixtures;
  after.uncertainty.with_model = subject.stack.uncertainty.with_model;
  return after;
}

LearnedSteps learned_steps(const ModelSteps& steps, const OwnSubject& subject) {
  const std::vector<StepCase> cases = cases_of(steps, subject);
  LearnedSteps learned{.subject = subject, .after = sharpened(subject.stack, cases), .rows = {}};
  for (std::size_t i = 0; i < cases.size(); ++i)
    learned.rows.push_back({.row = steps.rows[i],
                            .before = closed_step(cases[i], subject.stack),
                            .after = closed_step(cases[i], learned.after)});
  return learned;
}

}  // namespace answers
}  // namespace tofn
