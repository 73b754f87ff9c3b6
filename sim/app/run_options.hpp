#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/answers/job_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/load_price_list.hpp"

// What predict and scale are asked of a run of a model.

namespace tofn {
inline namespace app {

inline constexpr std::array<std::pair<std::string_view, Overrun>, 2> overruns{
    {{"published", published_overrun}, {"none", no_overrun}}};

namespace option {
inline constexpr OptionOf<Overrun> overrun{
    {.name = "overrun",
     .help = "overrun of whole runs: published (as those went) or none",
     .usual = "published"},
    choice<overruns>};
}  // namespace option

/// Rows of how much is trained at which batch, what goes on beside it, and whose software runs it.
CommandOptions run_rows();

/// A run by its name or file, or what the options ask of a model, with the model as its stack runs
/// it and what options say of plans in the place of theirs. InputError at an option that the run's
/// file leaves nothing to.
RunFile run_of(const options::variables_map&, const CommonOptions&, const std::string& subject,
               const KernelProfile&);

/// A run of one phase: what the options ask of a model.
RunFile asked_run(const options::variables_map&, const Model&);

/// The stack of `--stack`, else that of the run.
KernelProfile stack_of(const options::variables_map&, const CommonOptions&,
                       const std::string& subject);

/// Rows of what a search of plans and batches may take: `--search`, `--memory-margin`.
CommandOptions search_rows(std::string_view default_space);
/// The name or file of that stack.
std::string stack_name_of(const options::variables_map&, const CommonOptions&,
                          const std::string& subject);

/// The list of `--prices`, if one is given.
std::optional<PriceList> price_list_of(const options::variables_map&, const Library&);
/// What is asked of one cluster, with how often the list has its spot nodes taken away.
ExpenseOptions listed_expenses(ExpenseOptions, const Cluster&, const std::optional<PriceList>&);
/// The cluster at the list's prices and with less memory by `--memory-margin`.
Cluster as_asked(const options::variables_map&, Cluster, const std::optional<PriceList>&);

/// A share in (0, 1) or from 0 on, of an option: `0.9` or `90%`. Absent: it is neither.
std::optional<double> share_of(const std::string& text);

/// g CO2 equivalents of a kWh.
double grid_of(const options::variables_map&);

/// Whether a name or a file is of a run.
bool names_run(const std::filesystem::path& configs, const std::string& name_or_file);

}  // namespace app
}  // namespace tofn
