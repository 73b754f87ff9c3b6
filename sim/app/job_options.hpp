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
#include "sim/options/option_values.hpp"
#include "sim/simulation/job_hardware.hpp"

namespace tofn {
inline namespace app {

/// Declares what a command that answers in energy and money is asked.
void add_expense_options(options::options_description&);
/// `--facility-factor` alone, for commands without a run.
void add_facility_option(options::options_description&);

/// InputErrors name the option.
ExpenseOptions read_expense_options(const options::variables_map&);
/// The same of each term that `--price-term` lists: `on_demand,spot`.
std::vector<ExpenseOptions> expense_options_of_terms(const options::variables_map&);
std::optional<double> facility_factor_of(const options::variables_map&);

/// Adds `--sequence-length`, and what of a model is trained: `--lora-rank`, `--freeze`, ...
void add_model_options(options::options_description&);
FineTuning fine_tuning_of(const options::variables_map&);
/// The model of that name or file, as these options have it.
Model asked_model(const options::variables_map&, const std::filesystem::path& configs,
                  const std::string& name);

/// Adds one option for each way that a plan can split a step: `--tp`, `--recompute`, ...
void add_plan_options(options::options_description&);

/// The plan of `--plan`, or another, with what the other options say in its place, and what neither
/// says as the stack has it.
PlanFile plan_of(const options::variables_map&, const std::filesystem::path& configs,
                 const StackDefaults&, PlanFile = {.name = "asked for"});

/// What `--sensitivity` of a prediction or of a search asks for.
inline constexpr const char* sensitivity_help =
    "what one figure more of everything buys, which uncertain input makes the range, and what "
    "would settle it (of csv and json all rows)";
/// The point of the one number of accelerators that an option is of. InputError where there are
/// several.
template <class Points>
const auto& only_point(const Points& points, std::string_view option) {
  if (points.size() > 1) throw InputError({}, option, "is of one number of accelerators");
  return points.front();
}

/// Adds `--observed` and `--steps`: steps that were measured.
void add_measured_options(options::options_description&);
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

/// Adds the options that say which nodes of a job are not as the others.
void add_heterogeneous_options(options::options_description&);

/// What they say; `cluster_named` finds the other cluster. InputError where an option needs another
/// or is none of its values.
HeterogeneousNodes heterogeneous_nodes_of(
    const options::variables_map&, const std::function<Cluster(const std::string&)>& cluster_named);

}  // namespace app
}  // namespace tofn
