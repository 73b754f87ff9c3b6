#include "sim/answers/idle_choices.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace answers {

std::vector<std::string> idle_choices(const PlanFile& file, const Plan& made) {
  const auto is_stated = [&](const PlanField& field) {
    return std::find(file.stated.begin(), file.stated.end(), field.name) != file.stated.end();
  };
  Plan asked = made;
  visit_plan([&](const PlanField& field, auto member) {
    if (is_stated(field) && !field.is_worked_out) asked.*member = file.split.*member;
  });
  std::vector<std::string> sentences;
  visit_idle(asked, [&](const PlanField& field, auto member) {
    if (is_stated(field) && asked.*member != Plan{}.*member)
      sentences.push_back(
          fmt::format("--{} does nothing here: it needs {}", field.option(), field.need.words));
  });
  return sentences;
}

std::vector<std::string> idle_choices(const ExpenseOptions& asked, const InterruptedRun& run) {
  std::vector<std::string> sentences;
  if (run.checkpoint_every) return sentences;
  for (const auto& [option, stated] : {std::pair("checkpoint-cost", asked.checkpoint),
                                       std::pair("checkpoint-every", asked.checkpoint_every)})
    if (stated)
      sentences.push_back(
          fmt::format("--{} does nothing here: the run ends before a checkpoint is due", option));
  return sentences;
}

}  // namespace answers
}  // namespace tofn
