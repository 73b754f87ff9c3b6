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
#include "sim/parallelism/run_settings.hpp"
#include "sim/simulation/job_hardware.hpp"

namespace tofn {
inline namespace app {

/// Rows of the options for energy and cost.
CommandOptions expense_rows();
/// Says which options of expenses are given although only a step is predicted.
void say_unused_of_runs(const options::variables_map&);
/// Row of `--facility-factor`, for commands without a run.
CommandOption facility_row();

/// Reads the options for energy and cost. InputError with the option if a value is invalid.
ExpenseOptions read_expense_options(const options::variables_map&);
/// Reads these options once for each price term in `--price-term`, e.g. `on_demand,spot`.
std::vector<ExpenseOptions> expense_options_of_terms(const options::variables_map&);
std::optional<double> facility_factor_of(const options::variables_map&);

/// Rows of `--sequence-length` and of the options for fine-tuning: `--lora-rank`, `--freeze`, ...
CommandOptions model_rows();
FineTuning fine_tuning_of(const options::variables_map&);
/// Model of that name or file, with the sequence length and fine-tuning of the options.
Model requested_model(const options::variables_map&, const std::filesystem::path& configs,
                      const std::string& name);

/// Rows of the options for a plan: `--tp`, `--recompute`, ...
CommandOptions plan_rows();

/// Plan of `--plan`, otherwise the one that is passed. Other options replace its fields, and fields
/// that neither states are the stack's defaults.
StatedPlan plan_of(const options::variables_map&, const std::filesystem::path& configs,
                   const StackDefaults&, StatedPlan = {.name = "asked for"});

/// Sets what options state of a workload's run: its release, precision, CUDA graphs, ...
void read_settings(const options::variables_map&, RunSettings&);
/// Single point, for an option that needs one number of accelerators. InputError if there are
/// several.
template <class Points>
const auto& only_point(const Points& points, std::string_view option) {
  if (points.size() > 1) throw InputError({}, option, "is of one number of accelerators");
  return points.front();
}

/// Rows of the options for measured steps, `--observed` and `--steps`.
CommandOptions measured_rows();
/// Stack that the file of `--steps` names; absent if no file is given. InputError if `--stack`
/// states another.
std::optional<std::string> stack_of_steps(const options::variables_map&);
/// Stack of this name or file. InputError of `--stack` if that is given and no stack is so called.
KernelProfile found_stack(const options::variables_map&, const std::filesystem::path& configs,
                          const std::string& name_or_file);
struct PlannedModel {
  Model model;  ///< with the sequence length
  Plan plan;
};
/// Returns the model and the plan for a number of accelerators and a batch in samples. Unstated
/// fields of the plan are chosen.
using PlanAt = std::function<PlannedModel(const KernelProfile&, int accelerators, double batch)>;
/// Fits the stack to the measured steps of `--steps` and `--observed`, if any are given. `plan_at`
/// completes the plan of the observed step. `samples_each` is the number of samples per accelerator
/// if `--observed` states no batch. InputError if the plan cannot split the batch, or if
/// `--observed` is given and no figure of the stack is uncertain.
KernelProfile with_measured_steps(const options::variables_map&,
                                  const std::filesystem::path& configs, Library&,
                                  const KernelProfile&, const Model&, const Cluster&, const PlanAt&,
                                  double samples_each);

/// Rows of the options for nodes that differ from the others.
CommandOptions heterogeneous_rows();

/// Reads these options; `cluster_named` finds the other cluster. InputError if an option needs
/// another one, or if its value is invalid.
HeterogeneousNodes heterogeneous_nodes_of(
    const options::variables_map&, const std::function<Cluster(const std::string&)>& cluster_named);

}  // namespace app
}  // namespace tofn
