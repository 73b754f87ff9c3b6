#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/rl_plan_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/plan_request.hpp"
#include "sim/app/rl_options.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/stoppable_search.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/words.hpp"
#include "sim/report/rl_plan_report.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Command line, quoted for a shell, that predicts the candidate that is shown. A run's file states
/// its division itself, so that of it only what it leaves open is added.
std::string again_rl(const options::variables_map& values, const RlSearch& search,
                     const RlCandidate& shown) {
  const Offer& offer = search.offers[shown.offer];
  std::vector<std::string> words = predict_words(values, offer, shown.point.accelerators);
  for (const CommandOption& row : joined({rl_rows(), run_rows(), limit_rows()}))
    if (row.option->is_given(values) && row.option != &option::price_term)
      for (const std::string& text : row.option->texts(values)) {
        words.push_back(row.option->flag());
        words.push_back(shell_word(text));
      }
  if (offer.expenses.term) {
    words.push_back(option::price_term.flag());
    words.emplace_back(name_in(price_terms, *offer.expenses.term));
  }
  if (search.request.name.empty() && !search.request.rl.generators && shown.request.rl.age() > 0)
    words.push_back(fmt::format("--steps-off {} --generators {}", shown.request.rl.age(),
                                shown.point.split->generators));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

CommandAnswer plan_rl(const options::variables_map& values, double confidence,
                      const Objective& by) {
  refuse_idle_options(values, plan_run_rows(), rl_predicted);
  Library library = Library::load(read_common(values).configs);
  RlRequest request = rl_request_of(values, option::model.value(values));
  request.limits = limits_of(values);
  StoppableSearch stoppable;
  const RlSearch search{.request = std::move(request),
                        .offers = offers_of(values, library),
                        .by = by,
                        .confidence = confidence,
                        .is_stopped = stoppable.is_stopped(),
                        .on_progress = stoppable.on_progress()};
  if (search.request.is_one_step())
    throw InputError({}, "--rl-steps", "is needed: how many steps the run has");
  const auto choice = stoppable.choice([&] { return rl_choice(search); });
  if (!choice) return {.exit_code = stoppable.exit_code()};
  const int exit_code = choice->not_tried > 0 ? stoppable.exit_code() : choice->best ? 0 : 1;
  return command_answer(rl_plan_text(search, *choice, again_rl(values, search, choice->shown())),
                        rl_plan_records(*choice), exit_code);
}

}  // namespace app
}  // namespace tofn
