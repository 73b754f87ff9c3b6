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

CommandAnswer validate_steps(const Asked& asked) {
  const StepProtocol protocol = protocol_of(asked, step_protocols).second;
  const auto steps = scored_steps(asked, protocol);
  return {.text = steps_text(steps, protocol), .records = steps_records(steps, protocol)};
}

CommandAnswer validate_plans(const Asked& asked) {
  const StepProtocol protocol = protocol_of(asked, step_protocols).second;
  const auto groups = plan_groups(scored_steps(asked, protocol));
  return {.text = plan_order_text(groups, protocol), .records = plan_order_records(groups)};
}

}  // namespace app
}  // namespace tofn
