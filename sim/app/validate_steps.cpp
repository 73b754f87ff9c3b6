#include "sim/answers/plan_order_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/app/progress_counter.hpp"
#include "sim/app/validate.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/report/plan_order_report.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {
namespace {

std::vector<ScoredStep> scored_steps(const Asked& asked, StepProtocol protocol) {
  const auto& configs = asked.common.configs;
  const ProgressCounter counter("parts scored");
  return steps_answer(configs, tables_of(asked, tables_of_steps(configs)), protocol,
                      counter.on_progress());
}

}  // namespace

int validate_steps(const Asked& asked) {
  const StepProtocol protocol = protocol_of(asked, step_protocols).second;
  const auto steps = scored_steps(asked, protocol);
  write_answer(asked.common, steps_text(steps, protocol), steps_records(steps, protocol));
  return 0;
}

int validate_plans(const Asked& asked) {
  const StepProtocol protocol = protocol_of(asked, step_protocols).second;
  const auto groups = plan_groups(scored_steps(asked, protocol));
  write_answer(asked.common, plan_order_text(groups, protocol), plan_order_records(groups));
  return 0;
}

}  // namespace app
}  // namespace tofn
