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

std::vector<ScoredStep> scored_steps(const Request& request, StepProtocol protocol) {
  const auto& configs = request.common.configs;
  std::vector<std::string> notes;
  auto steps = [&] {
    const ProgressCounter counter("parts scored");
    return steps_answer(configs, tables_of(request, tables_of_steps(configs)), protocol,
                        counter.on_progress(), &notes);
  }();
  for (const std::string& note : notes) say(note);
  require_answered(steps, left_out_steps(steps));
  return steps;
}

}  // namespace

CommandAnswer validate_steps(const Request& request) {
  const StepProtocol protocol = protocol_of(request, step_protocols).second;
  const auto steps = scored_steps(request, protocol);
  return command_answer(steps_text(steps, protocol), steps_records(steps, protocol));
}

CommandAnswer validate_plans(const Request& request) {
  const StepProtocol protocol = protocol_of(request, step_protocols).second;
  const auto steps = scored_steps(request, protocol);
  const auto groups = plan_groups(steps);
  const std::string left_out = left_out_steps(steps);
  CommandAnswer answer =
      command_answer(plan_order_text(groups, protocol), plan_order_records(groups));
  answer.details += left_out;
  answer.summary = left_out;
  return answer;
}

}  // namespace app
}  // namespace tofn
