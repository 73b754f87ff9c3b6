#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/answers/run_batch.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/load_price_list.hpp"

// Options of predict and scale for a run of a model.

namespace tofn {
inline namespace app {

inline constexpr std::array<std::pair<std::string_view, Overrun>, 2> overruns{
    {{"published", published_overrun}, {"none", no_overrun}}};

namespace option {
inline constexpr OptionOf<Overrun> overrun{
    {.name = "overrun",
     .help = "overrun of whole runs: published (as those went) or none",
     .default_text = "published"},
    choice<overruns>};
}  // namespace option

/// Rows of the options for a run: amount of training, batch, evaluations, stack, plan and cost.
CommandOptions run_rows();

/// Run by its name or file, or the requested run of a model. The model has the defaults of its
/// stack, and options replace fields of the plans. InputError if the run's file already states what
/// an option does.
StatedRun run_of(const options::variables_map&, const CommonOptions&, const std::string& subject,
                 const KernelProfile&);

/// Run of a model with one phase, by the options.
StatedRun requested_run(const options::variables_map&, const Model&);

/// Stack of `--steps` or `--stack`, otherwise that of the run's file or of `--emit`, otherwise the
/// default.
KernelProfile stack_of(const options::variables_map&, const CommonOptions&,
                       const std::string& subject);

/// Rows of the options for a search of plans and batches: `--search`, `--memory-margin`.
CommandOptions search_rows(std::string_view default_space);
/// Name or file of the stack that `stack_of` returns.
std::string stack_name_of(const options::variables_map&, const CommonOptions&,
                          const std::string& subject);

/// Price list of `--prices`; absent if none is given.
std::optional<PriceList> price_list_of(const options::variables_map&, const Library&);
/// Expense options for one cluster, with the time to preemption of spot nodes from the price list
/// unless an option states it.
ExpenseOptions listed_expenses(ExpenseOptions, const Cluster&, const std::optional<PriceList>&);
/// Cluster with the list's prices, the figures of `--times`, and less memory by `--memory-margin`.
Cluster as_requested(const options::variables_map&, Cluster, const std::optional<PriceList>&);

/// Reads a share such as `0.9` or `90%`; absent if the text is not a number. Callers check its
/// range.
std::optional<double> share_of(const std::string& text);

/// Row of `--grid`.
CommandOption grid_row();
/// Grams of CO2 equivalent per kWh, by `--grid` or by default.
double grid_of(const options::variables_map&);

/// True if a name or a file is that of a run.
bool names_run(const std::filesystem::path& configs, const std::string& name_or_file);

}  // namespace app
}  // namespace tofn
