#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sim/config/library.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/error.hpp"
#include "sim/expense/expense.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/fine_tuning.hpp"
#include "sim/options/command_line.hpp"
#include "sim/simulation/job_hardware.hpp"

namespace tofn {
inline namespace app {

/// Rows of what a command that answers in energy and money is asked.
CommandOptions expense_rows();
/// Row of `--facility-factor` alone, for commands without a run.
CommandOption facility_row();

/// InputErrors name the option.
ExpenseOptions read_expense_options(const options::variables_map&);
/// The same of each term that `--price-term` lists: `on_demand,spot`.
std::vector<ExpenseOptions> expense_options_of_terms(const options::variables_map&);
std::optional<double> facility_factor_of(const options::variables_map&);

/// Rows of `--sequence-length`, and of what of a model is trained: `--lora-rank`, `--freeze`, ...
CommandOptions model_rows();
FineTuning fine_tuning_of(const options::variables_map&);
/// The model of that name or file, as these options have it.
Model asked_model(const options::variables_map&, const std::filesystem::path& configs,
                  const std::string& name);

/// Rows of each way that a plan can split a step: `--tp`, `--recompute`, ...
CommandOptions plan_rows();

/// The plan of `--plan`, or another, with what the other options say in its place, and what neither
/// says as the stack has it.
PlanFile plan_of(const options::variables_map&, const std::filesystem::path& configs,
                 const StackDefaults&, PlanFile = {.name = "asked for"});

/// The point of the one number of accelerators that an option is of. InputError where there are
/// several.
template <class Points>
const auto& only_point(const Points& points, std::string_view option) {
  if (points.size() > 1) throw InputError({}, option, "is of one number of accelerators");
  return points.front();
}

/// Rows of `--observed` and `--steps`: steps that were measured.
CommandOptions measured_rows();
/// The stack that the file of `--steps` names, if one is given. InputError where `--stack` says
/// another.
std::optional<std::string> stack_of_steps(const options::variables_map&);
struct PlannedModel {
  Model model;  ///< with the length of its samples
  Plan plan;
};
/// What so many accelerators run of so many samples, and by which plan, what is not stated of it
/// chosen.
using PlanAt = std::function<PlannedModel(const KernelProfile&, int accelerators, double batch)>;
/// The stack as measured steps leave it, if some are given; what was not stated of the observed
/// plan is as in what is predicted. `samples_each`: of an accelerator, where `--observed` states no
/// batch. InputError where the plan does not split it, or nothing of the
/// stack is in doubt.
KernelProfile with_measured_steps(const options::variables_map&,
                                  const std::filesystem::path& configs, Library&,
                                  const KernelProfile&, const Model&, const Cluster&, const PlanAt&,
                                  double samples_each);

/// Rows of what says which nodes of a job are not as the others.
CommandOptions heterogeneous_rows();

/// What they say; `cluster_named` finds the other cluster. InputError where an option needs another
/// or is none of its values.
HeterogeneousNodes heterogeneous_nodes_of(
    const options::variables_map&, const std::function<Cluster(const std::string&)>& cluster_named);

}  // namespace app
}  // namespace tofn
