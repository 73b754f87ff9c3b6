#include "sim/answers/steps_answer.hpp"
#include "sim/app/validate.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {

int validate_steps(const Asked& asked) {
  const StepProtocol protocol = protocol_of(asked, step_protocols).second;
  const auto steps = steps_answer(
      asked.common.configs, tables_of(asked, tables_of_steps(asked.common.configs)), protocol);
  write_answer(asked.common, steps_text(steps, protocol), steps_records(steps));
  return 0;
}

}  // namespace app
}  // namespace tofn
