#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/name_table.hpp"

namespace tofn {
inline namespace app {
namespace option {

constexpr OptionOf<double> facility{
    {"facility-factor", "power of the site over that of the machine (PUE)"}, factor_up_to<10>};
constexpr OptionOf<Seconds> failure_every{
    {"failure-every", "mean time to a failure of one accelerator (default: 50700h)"},
    amount_of<Seconds>};
constexpr OptionOf<Seconds> restart{
    {"restart", "time from a failure until the job computes again (default: 15min)"},
    amount_of<Seconds>};
constexpr OptionOf<Seconds> checkpoint_cost{
    {"checkpoint-cost", "time that writing a checkpoint takes (default: 15s)"}, amount_of<Seconds>};
constexpr OptionOf<Seconds> checkpoint_every{
    {"checkpoint-every", "interval of checkpoints (default: what loses the least)"},
    amount_of<Seconds>};
constexpr OptionOf<BytesPerSecond> checkpoint_storage{
    {"checkpoint-storage",
     "bandwidth of the file system that checkpoints go to, e.g. 40GB/s: their bytes say what they "
     "take"},
    amount_of<BytesPerSecond>};
constexpr OptionOf<BytesPerSecond> checkpoint_node_bandwidth{
    {"checkpoint-node-bandwidth", "bandwidth of one node to that file system, e.g. 5GB/s"},
    amount_of<BytesPerSecond>};
constexpr OptionOf<CheckpointMode> checkpoint_mode{
    {"checkpoint-mode", "sync (default) or async: steps wait for the copy to host memory alone"},
    choice<checkpoint_modes>};
constexpr OptionOf<CheckpointLayout> checkpoint_layout{
    {"checkpoint-layout", "sharded (default): every rank writes, or gathered: one does"},
    choice<checkpoint_layouts>};

}  // namespace option

CommandOption facility_row() { return {&option::facility, of_expenses & ~step_checked}; }

CommandOptions expense_rows() {
  return joined({{facility_row(), {&option::price_term, of_expenses & ~choice_predicted}},
                 rows_for(of_expenses,
                          {&option::price, &option::failure_every, &option::preemption_every,
                           &option::restart, &option::checkpoint_cost, &option::checkpoint_every}),
                 rows_for(of_predicted_models | rl_predicted,
                          {&option::checkpoint_storage, &option::checkpoint_node_bandwidth,
                           &option::checkpoint_mode, &option::checkpoint_layout})});
}

void say_unused_of_runs(const options::variables_map& values) {
  std::vector<std::string> given;
  for (const CommandOption& row :
       joined({expense_rows(), rows_for(of_expenses, {&option::prices, &option::start_up})}))
    if (row.option != &option::facility && row.option->is_given(values))
      given.push_back(row.option->flag());
  if (!given.empty())
    say(fmt::format("{} appl{} to whole runs alone: say what is trained (--tokens or --samples)",
                    fmt::join(given, ", "), given.size() == 1 ? "ies" : "y"));
}

std::optional<double> facility_factor_of(const options::variables_map& values) {
  return option::facility.of(values);
}

std::vector<ExpenseOptions> expense_options_of_terms(const options::variables_map& values) {
  const auto terms = option::price_term.as(values, listed).value_or(std::vector<std::string>{});
  if (terms.size() < 2) return {read_expense_options(values)};
  const std::string spot(name_in(price_terms, PriceTerm::Spot));
  const bool has_spot = std::ranges::find(terms, spot) != terms.end();
  std::vector<ExpenseOptions> all;
  for (const std::string& term : terms) {
    options::variables_map own = with_option(values, option::price_term, term);
    if (has_spot && term != spot) own.erase(std::string(option::preemption_every.name));
    all.push_back(read_expense_options(own));
  }
  return all;
}

namespace {

CheckpointStorage checkpoint_storage_of(const options::variables_map& values) {
  return {.all = option::checkpoint_storage.of(values),
          .node = option::checkpoint_node_bandwidth.of(values),
          .mode = option::checkpoint_mode.of(values),
          .layout = option::checkpoint_layout.of(values)};
}

}  // namespace

ExpenseOptions read_expense_options(const options::variables_map& values) {
  ExpenseOptions request{.term = option::price_term.of(values),
                         .price = option::price.of(values),
                         .facility_factor = facility_factor_of(values),
                         .time_to_failure = option::failure_every.of(values),
                         .time_to_preemption = option::preemption_every.of(values)};
  if (request.time_to_preemption && request.term != PriceTerm::Spot)
    throw InputError({}, option::preemption_every.flag(), "needs --price-term spot");
  request.restart = option::restart.of(values);
  request.checkpoint = option::checkpoint_cost.of(values);
  request.checkpoint_every = option::checkpoint_every.of(values);
  request.storage = checkpoint_storage_of(values);
  if (request.checkpoint && request.storage.is_known())
    throw InputError({}, option::checkpoint_cost.flag(),
                     "is what the storage's bandwidth says: state one of them");
  return request;
}

}  // namespace app
}  // namespace tofn
