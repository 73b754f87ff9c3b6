#include "sim/answers/plan_order_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/plan_order_report.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {
namespace {

StepProtocol protocol_of(const std::string& protocol) {
  std::vector<std::string> valid;
  for (const auto& [name, value] : step_protocols) {
    if (name == protocol) return value;
    valid.emplace_back(name);
  }
  throw InputError({}, "--protocol", unknown_name("protocol", protocol, valid));
}

}  // namespace

int validate_steps(const CommonOptions& common, const std::vector<std::filesystem::path>& tables,
                   const std::string& protocol) {
  const StepProtocol asked = protocol_of(protocol);
  const auto steps = steps_answer(common.configs, tables, asked);
  write_answer(common, steps_text(steps, asked), steps_records(steps));
  return 0;
}

int validate_plans(const CommonOptions& common, const std::vector<std::filesystem::path>& tables,
                   const std::string& protocol) {
  const StepProtocol asked = protocol_of(protocol);
  const auto groups = plan_groups(steps_answer(common.configs, tables, asked));
  write_answer(common, plan_order_text(groups, asked), plan_order_records(groups));
  return 0;
}

}  // namespace app
}  // namespace tofn
